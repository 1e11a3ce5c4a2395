"""The family of the Ages: what its rule sets share. Each of them is a folder with a profile (``tables.Profile``)."""
