"""Sight: what hinders it (``obstruction``), and the law that says whether a line is clear (``law``)."""
