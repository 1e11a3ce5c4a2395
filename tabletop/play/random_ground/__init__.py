"""Random ground from a seed: a landscape is made piece by piece, measured for both sides, and accepted if fair."""
