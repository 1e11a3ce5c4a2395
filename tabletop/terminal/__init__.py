"""A battle played at a prompt: short commands in, plain sentences out."""
