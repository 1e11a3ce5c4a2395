"""Reason: the Age of Reason, 1740 to 1783; one of the Ages."""
