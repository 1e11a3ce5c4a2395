"""Worked cases: a scene, what is done in it, the dice, and what must come of it, one case a line of a file."""
