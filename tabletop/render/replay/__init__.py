"""A battle shown again: saved or still being played, moment by moment, as a film, as pictures."""
