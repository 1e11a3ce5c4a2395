"""Playing a battle: files and saved games, the engine and the session, computer players and worker processes."""
