"""Lessons: positions with a goal, played by the same rules as any battle; their files, their runner, their proof."""
