"""Status, losses, falling back, regrouping, and the morale of armies: what results of combat do."""
