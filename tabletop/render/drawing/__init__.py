"""Drawings: battles and verdicts as shapes, and shapes as SVG and PDF. Knows no pygame."""
