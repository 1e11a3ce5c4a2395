"""Pages: screens made of spots, drawn with one brush, used by mouse and keys; and dialogs over a battle."""
