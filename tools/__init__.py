"""Commands for who works on the project: coverage tables, pictures for the documents."""
