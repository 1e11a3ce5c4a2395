"""A battle as an animated picture."""
