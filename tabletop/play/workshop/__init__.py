"""The workshop without a window: the files of a draft, armies from a points list, work kept while it is done."""
