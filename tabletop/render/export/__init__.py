"""Export of what is shown: a picture of the view or the whole table, a report of the battle, a film of it."""
