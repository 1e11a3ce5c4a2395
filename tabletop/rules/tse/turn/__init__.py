"""The turn: its sequence, the menu of actions, victory, and the report of a battle."""
