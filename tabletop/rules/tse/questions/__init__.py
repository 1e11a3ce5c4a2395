"""What the judge needs about a question besides its answer: disputed facts, and the ground an answer depends on."""
