"""Drawings in pixels, on a pygame surface, and drawings as files."""
