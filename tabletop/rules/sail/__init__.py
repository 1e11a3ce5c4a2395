"""Age of Sail: ships in centimetres, moved by the wind."""
