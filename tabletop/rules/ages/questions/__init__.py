"""What the judge needs besides an answer: its facts, its zone of influence, and the ground threatened next turn."""
