"""The version of the program, as named in saved games, pictures and reports."""

__version__ = "0.1.0"
