"""The rulebook's game app in the window: a form, its answer, its odds."""
