"""What the rule sets of the Ages family share; each of them is a folder with a profile (``tables.Profile``)."""
