"""The judge's table: set up a disputed position, ask the judge, and print the answer on a card."""
