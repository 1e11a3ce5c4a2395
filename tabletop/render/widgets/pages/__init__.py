"""Pages: screens made of spots, drawn with one brush, led by mouse and keys; and sheets laid over a battle."""
