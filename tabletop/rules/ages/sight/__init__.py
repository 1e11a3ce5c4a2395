"""Direct sight between units."""
