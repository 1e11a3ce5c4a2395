"""Fire: who may shoot at whom and behind what cover (``judge``), and fire as an action (``resolve``)."""
