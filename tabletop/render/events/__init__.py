"""The events of a battle as the window shows them: log lines, beats, marks, and the battle moment by moment."""
