"""Moves, wheels and changes of formation: what they cost (``judge``), and moves as actions (``resolve``)."""
