"""The turn: its phases, what happens at once, victory, and how a battle is reported."""
