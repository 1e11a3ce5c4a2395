"""What a computer player weighs: candidates for actions, and what actions and units are worth."""
