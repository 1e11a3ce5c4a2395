"""What is allowed and what follows. One folder a rule set; what several share stands in ``common``."""
