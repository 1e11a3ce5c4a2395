"""Controls shared by screens: buttons, texts, entries, links, pages made of spots."""
