"""Ground from a seed: a landscape that is made piece by piece, measured for both sides, and taken when it is fair."""
