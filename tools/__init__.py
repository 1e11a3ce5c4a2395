"""Commands for developers of the project: coverage tables, proofs, pictures for the documents."""
