"""Command: generals near enough to help (``judge``), orders, and generals in the way of troops."""
