"""Actions as they are typed: at the prompt, after a command, in the files of lessons."""
