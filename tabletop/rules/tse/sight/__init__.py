"""Sight between units, from a unit and between two points."""
