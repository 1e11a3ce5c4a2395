"""The effects of combat: status, losses, falling back, regrouping, and the morale of armies."""
