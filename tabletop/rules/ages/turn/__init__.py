"""The turn: its phases and their sequence, the order of simultaneous events, victory, and the report of a battle."""
