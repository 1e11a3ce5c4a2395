"""Assaults and charges: whether they may be made (``judge``), and how they are carried out (``resolve``)."""
