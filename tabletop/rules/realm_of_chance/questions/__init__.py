"""What the judge must know about a question besides its answer: where an answer looks."""
