"""The judge's table, through events only."""
