"""The computer player: candidate actions, and the values of actions and units."""
