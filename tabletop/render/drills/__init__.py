"""Drills in the window and on paper."""
