"""Destiny: the Age of Destiny, 1792 to 1815, with random numbers; one of the Ages."""
