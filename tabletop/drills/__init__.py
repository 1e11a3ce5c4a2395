"""Drills: short positions at a chosen margin, answered by eye or by tape, judged, and explained with a proof."""
