"""Combat: which units fight, at what odds (``judge``), and combat as an action (``resolve``), with pursuit."""
