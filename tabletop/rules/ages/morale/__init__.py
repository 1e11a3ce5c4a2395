"""Disruption, losses, rout, and the edge that routed troops run to."""
