"""The workshop without its window: the files of a draft, armies by points, recovery of unsaved work."""
