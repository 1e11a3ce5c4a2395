"""Players who need nobody at the table."""
