"""Worked cases: a scene, the actions done in it, the dice, and the expected outcome, one case per line of a file."""
