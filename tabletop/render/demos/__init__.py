"""Demos on the screen: when what is to be seen, how it is drawn, the screen that plays it, film, captions."""
