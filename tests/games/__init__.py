"""Random legal games: any scenario of any rule set, every rule of play checked after every action."""
