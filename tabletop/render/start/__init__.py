"""The start screen and the pages it leads to: battles to begin, saved games, replays, lessons, drills, demos."""
