"""The screen of the settings."""
