"""The calculator: its forms, the model of chance, and exact odds."""
