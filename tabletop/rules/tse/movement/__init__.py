"""Moves and formations: what a move costs and may end in (``judge``), and moves made as actions (``resolve``)."""
