"""The version of the program: what saved games, pictures and reports name."""

__version__ = "0.1.0"
