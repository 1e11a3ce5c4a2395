"""Replaying a battle, saved or still being played, moment by moment."""
