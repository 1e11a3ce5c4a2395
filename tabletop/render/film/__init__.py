"""Films: their pictures and timing, their file formats, and the process that makes them."""
