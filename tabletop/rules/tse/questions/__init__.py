"""What the judge must know about a question besides its answer: disputed facts, and where an answer looks."""
