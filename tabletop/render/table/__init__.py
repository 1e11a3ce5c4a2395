"""The table in the window: measuring, dragging and looking, with the panel beside it."""
