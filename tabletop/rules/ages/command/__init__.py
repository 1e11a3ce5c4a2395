"""Orders by messenger."""
