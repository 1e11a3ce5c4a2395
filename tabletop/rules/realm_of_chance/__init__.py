"""Realm of Chance: the Napoleonic wars in millimetres and dice, battalion by battalion."""
