"""Gloire: the Age of Gloire, 1667 to 1714; one of the Ages."""
