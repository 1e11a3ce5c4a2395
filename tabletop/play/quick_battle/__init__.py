"""Quick battles: two armies, ground and a length become a scene that can be played at once."""
