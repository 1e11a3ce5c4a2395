"""A battle played in the window: the game on top of the measuring table."""
