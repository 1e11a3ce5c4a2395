"""Painting drawings in pixels on a pygame surface, and writing them to files."""
