"""Pure measuring: rectangles, outlines and lengths. Knows no unit, no rule set and no screen."""
