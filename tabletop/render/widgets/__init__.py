"""Controls that screens share: buttons, texts, entries, links, pages made of spots."""
