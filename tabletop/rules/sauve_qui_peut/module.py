"""The ``Module`` record of Sauve qui peut, by which it attaches to rule sets."""

from __future__ import annotations

from tabletop.rules.common.modules import Module
from tabletop.rules.rule_set import late

HERE = "tabletop.rules.sauve_qui_peut"

MODULE = Module(
    name="sauve-qui-peut",
    title="Sauve qui peut",
    package=HERE,
    counts=late(f"{HERE}.levels:chosen"),
    begin=late(f"{HERE}.crisis:open_the_battle"),
    close_the_move=late(f"{HERE}.crisis:close_the_move"),
    over=late(f"{HERE}.crisis:end_if_broken"),
    outlook=late(f"{HERE}.levels:outlook"),
    also_won=late(f"{HERE}.levels:or_break_it"),
    crisis=("sauve_qui_peut", "army_mean"),
)
