"""Pictures: reads battles and verdicts, never changes them."""
