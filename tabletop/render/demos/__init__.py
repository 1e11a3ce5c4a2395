"""Demos on the screen: their timeline, how they are drawn, the screen that plays them, films, captions."""
