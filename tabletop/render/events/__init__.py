"""What happened in a battle, as the window shows it: lines of the log, beats, marks, the battle moment by moment."""
