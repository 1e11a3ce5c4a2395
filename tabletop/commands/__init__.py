"""Commands of the command line, a family a file; each imports what is heavy when it is called."""
