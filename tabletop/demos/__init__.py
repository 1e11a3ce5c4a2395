"""Demos: battles and positions that play themselves with a narration; their files and what is to be seen in them."""
