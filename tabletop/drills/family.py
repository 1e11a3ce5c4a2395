"""What a family of questions is: how its scenes are laid out, what is asked, and how the judge answers it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.drills.position import Call
from tabletop.drills.scenes import Layout
from tabletop.geometry.verdict import Verdict

#: Visible features of a scene, by name: what a plan fixes before anything is drawn.
Plan = Mapping[str, str]
#: Lays out a scene: a random source, the plan, the answer wanted, the margin wanted.
Lays = Callable[[random.Random, Plan, str, float], Layout]


@dataclass(frozen=True)
class Family:
    """One family of questions.

    ``plans`` are combinations of visible features; each is drawn as often with each answer. ``widest`` is the widest
    margin at which every plan has every answer. ``asks`` returns the question in words; ``briefly`` the bare answer, ""
    where there is none; ``proof`` the bare verdict that shows it; ``judged`` the answer with its margin, None where the
    position does not serve. ``fact`` is the fact of the proof's question whose margin it is; "" where it is none's.
    """

    name: str
    title: str
    plans: Sequence[Plan]
    widest: float
    choices: Callable[[Plan], Mapping[str, str]]
    asks: Callable[[Plan], str]
    lays: Lays
    briefly: Callable[[Battle, Plan], str]
    proof: Callable[[Battle, Plan], Verdict]
    judged: Callable[[Battle, Plan], Call | None]
    fact: str = "holds"
