"""What is allowed and what follows from it: a folder for each rule set, and ``common`` for what several share."""
