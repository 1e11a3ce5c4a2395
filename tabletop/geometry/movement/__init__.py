"""Moving over ground: what it costs."""
