"""The nouns of a battle, frozen: units and the battle they stand in."""
