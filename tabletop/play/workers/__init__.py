"""Other processes: one that judges, one that plays for the computer, several that answer a batch."""
