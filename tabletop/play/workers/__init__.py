"""Worker processes: one for the judge, one for computer players, several to answer a batch."""
