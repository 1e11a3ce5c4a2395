"""Saved games: written during play, locked, replayed, verified, reported, and listed in a library."""
