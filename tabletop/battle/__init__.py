"""The data of a battle, all immutable: units and the battle they stand in."""
