"""The calculator of the family: forms for players with real miniatures, answered by the functions used in battles."""
