"""Handouts: a lesson, a drill or a dispute on paper, the question on one side of a sheet and its proof on the other."""
