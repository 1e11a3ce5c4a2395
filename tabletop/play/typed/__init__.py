"""Actions as typed at the prompt, after a command, or in the files of lessons."""
