"""Proves a demo by playing it to its end: every action is allowed, every proof says what the narration says."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.battle.naming import how_many
from tabletop.demos.cues import Unplayable, cues
from tabletop.demos.demo import Demo
from tabletop.errors import Fault


@dataclass
class Proved:
    """What a proof has found: faults, how many rows, actions and proofs were played."""

    demo: Demo
    faults: list[Fault] = field(default_factory=list)
    actions: int = 0
    proofs: int = 0

    @property
    def summary(self) -> str:
        """Figures for a line of praise."""
        counted = (len(self.demo.row.track), "row"), (self.actions, "action"), (self.proofs, "proof")
        return ", ".join(how_many(count, what) for count, what in counted)


def prove(demo: Demo) -> Proved:
    """Play a demo; the first row that cannot be played is a fault, for all after it stand on what it leaves."""
    proved = Proved(demo)
    try:
        for cue in cues(demo):
            proved.actions += cue.step is not None
            proved.proofs += len(cue.proofs) if cue.kind == "show" or cue.answered else 0
    except Unplayable as error:
        proved.faults.append(demo.doc.fault(["track", error.row, error.key], str(error)))
    return proved
