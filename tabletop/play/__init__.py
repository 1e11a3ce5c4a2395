"""Reading what a wargamer wrote: maps, armies, scenarios and scenes."""
