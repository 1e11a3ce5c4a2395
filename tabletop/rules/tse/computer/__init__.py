"""What a computer player weighs: candidates for actions, and what actions, positions and units are worth."""
