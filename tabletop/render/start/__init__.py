"""The start screen and what it leads to: battles to begin, saved games, replays, the game menu of a battle."""
