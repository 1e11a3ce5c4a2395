"""Combat: who fights whom at what odds (``judge``), and combat as an action (``resolve``), with pursuit."""
