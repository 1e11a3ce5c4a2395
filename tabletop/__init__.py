"""A measured table for historical miniatures battles, without the miniatures."""

__version__ = "0.1.0"
