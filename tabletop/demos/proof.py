"""Proves a demo by playing it to its end: every action is allowed, and every proof agrees with the narration."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.battle.naming import how_many
from tabletop.demos.cues import Unplayable, cues
from tabletop.demos.demo import Demo
from tabletop.errors import Fault


@dataclass
class Proved:
    """The result of proving a demo: faults, and the numbers of actions and proofs played."""

    demo: Demo
    faults: list[Fault] = field(default_factory=list)
    actions: int = 0
    proofs: int = 0

    @property
    def summary(self) -> str:
        """The numbers in words, for a demo without faults."""
        counted = (len(self.demo.row.track), "row"), (self.actions, "action"), (self.proofs, "proof")
        return ", ".join(how_many(count, what) for count, what in counted)


def prove(demo: Demo) -> Proved:
    """Play a demo; the first row that cannot be played is a fault and ends it, since later rows depend on it."""
    proved = Proved(demo)
    try:
        for cue in cues(demo):
            proved.actions += cue.step is not None
            proved.proofs += len(cue.proofs) if cue.kind == "show" or cue.answered else 0
    except Unplayable as error:
        proved.faults.append(demo.doc.fault(["track", error.row, error.key], str(error)))
    return proved
