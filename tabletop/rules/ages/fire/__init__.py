"""Artillery fire and fields of fire."""
