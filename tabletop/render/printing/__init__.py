"""Printing a battle at true scale: sheets to tape together, bases to cut out, rulers and templates."""
