"""Saved games: written as they are played, locked, shown again, verified, reported, and kept in a library."""
