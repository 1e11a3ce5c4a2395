"""Demos: battles and positions that play by themselves with a narration: their files, and the cues they consist of."""
