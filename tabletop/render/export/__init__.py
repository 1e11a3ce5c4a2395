"""What is shown, as files: a picture of the view or of the whole table, a report of the battle, a film of it."""
