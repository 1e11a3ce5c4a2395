"""The definition of a family of questions: how its scenes are laid out, what is asked, how the judge answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.drills.position import Call
from tabletop.drills.scenes import Layout
from tabletop.geometry.verdict import Verdict

#: Visible features of a scene, by name, fixed by a plan before anything is drawn.
Plan = Mapping[str, str]
#: Lays out a scene from a random source, the plan, the answer wanted and the margin wanted.
Lays = Callable[[random.Random, Plan, str, float], Layout]


@dataclass(frozen=True)
class Family:
    """One family of questions.

    ``plans`` are combinations of visible features; each is used equally often with each answer. ``widest`` is the
    widest margin at which every plan has every answer. ``asks`` returns the question in words; ``briefly`` the bare
    answer, "" if none; ``proof`` the bare verdict that shows it; ``judged`` the answer with its margin, None if the
    position is unsuitable. ``fact`` is the fact of the proof's question that has the margin, "" if none does.
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
