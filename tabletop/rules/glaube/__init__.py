"""Glaube: the Age of Glaube, 1618 to 1659; one of the Ages."""
