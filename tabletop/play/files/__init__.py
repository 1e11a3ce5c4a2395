"""Reading and checking what a wargamer wrote: maps, armies, scenarios and scenes; and writing it."""
