"""The judge's table: a disputed position laid out, asked about, and printed on a card."""
