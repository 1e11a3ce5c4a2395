"""The turn: its sequence, what may be chosen when, victory, and how a battle is reported."""
