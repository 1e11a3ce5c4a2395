"""The cues of a demo in order, computed as they are asked for, by the engine or from a saved battle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tabletop.battle.battle import Battle
from tabletop.demos.demo import Demo
from tabletop.demos.models import CueRow, Kind, OnRow, ShowRow, kind_of
from tabletop.errors import BadQuestion, Illegal, TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.lessons import acts, conditions
from tabletop.lessons.chances import SetDice
from tabletop.lessons.conditions import ANYBODY, Situation
from tabletop.lessons.runner import decisive
from tabletop.lessons.texts import filled
from tabletop.play import engine
from tabletop.play.engine import Step

#: The choices of a question that a proof decides.
YES_NO = ("Yes", "No")


class Unplayable(BadQuestion):
    """A row that cannot be played: its number, and the key at fault."""

    def __init__(self, row: int, key: str, text: str) -> None:
        super().__init__(text)
        self.row, self.key = row, key


@dataclass(frozen=True)
class Asked:
    """A question to the audience: its choices, and the number of the right one from 0 (None: there is none)."""

    text: str
    choices: tuple[str, ...] = ()
    right: int | None = None


@dataclass(frozen=True)
class Cue:
    """One cue: its row, the battle, the text under it, and the proofs on it.

    With ``step`` it is an action done in the battle ``before``; ``ends`` marks the last one of a row. With ``asked`` it
    is a question, answered in the next cue (``answered``).
    """

    number: int
    row: CueRow
    battle: Battle
    text: str = ""
    proofs: tuple[Verdict, ...] = ()
    step: Step | None = None
    before: Battle | None = None
    asked: Asked | None = None
    answered: bool = False
    ends: bool = True

    @property
    def kind(self) -> str:
        """The kind of its row: move, show, wait, ask or say."""
        return kind_of(self.row)


def cues(demo: Demo) -> Iterator[Cue]:
    """Yield all cues in order; Unplayable if a row cannot be played."""
    return _Player(demo).cues()


@dataclass
class _Player:
    """One run of a demo."""

    demo: Demo

    def __post_init__(self) -> None:
        self.battle = self.demo.opening
        self.steps = [Step(None, None, (), self.battle)]
        self.text = ""
        self.proofs: tuple[Verdict, ...] = ()

    def cues(self) -> Iterator[Cue]:
        """Yield the cues of every row."""
        for number, row in enumerate(self.demo.row.track):
            if row.say is not None:
                self.text = filled(row.say, self.battle)
            kind = kind_of(row)
            if kind == Kind.MOVE:
                self.proofs = ()
                yield from self._moved(number, row)
            elif kind == "ask":
                yield from self._asked(number, row)
            else:
                if row.show is not None:
                    self.proofs = tuple(self._proof(number, "show", shown) for shown in row.show)
                yield self._cue(number, row)

    def _cue(self, number: int, row: CueRow) -> Cue:
        return Cue(number, row, self.battle, self.text, self.proofs)

    # --- moving ------------------------------------------------------------------------------------------------------

    def _moved(self, number: int, row: CueRow) -> Iterator[Cue]:
        """Yield the actions of a row, one step behind, so that the last can be marked."""
        waiting: Cue | None = None
        for step in self._on(number, row.move) if isinstance(row.move, OnRow) else self._acts(number, str(row.move)):
            if waiting is not None:
                yield replace(waiting, ends=False)
            before, self.battle = self.battle, step.battle
            self.steps.append(step)
            waiting = replace(self._cue(number, row), step=step, before=before)
        if waiting is not None:
            yield waiting

    def _acts(self, number: int, text: str) -> Iterator[Step]:
        for act in acts.split(text):
            dice = SetDice.after(self.steps, self.demo.row.chance, len(self.steps))
            try:
                yield engine.submit(self.battle, acts.read(self.battle, act), dice)
            except Illegal as error:
                reason = decisive(error.verdict)
                refusal = str(error) if reason is None else f"{reason.rule}: {reason.text}"
                raise Unplayable(number, Kind.MOVE, f"'{act}' is not allowed: {refusal}") from None
            except TabletopError as error:
                raise Unplayable(number, Kind.MOVE, f"'{act}': {error}") from None

    def _on(self, number: int, on: OnRow) -> Iterator[Step]:
        first, since = len(self.steps), list[Step]()
        for step in self.demo.steps[first:]:
            since.append(step)
            yield step
            now = Situation(step.battle, since, self.demo.row.side or ANYBODY)
            if len(since) == on.actions or (on.until is not None and conditions.holds(on.until, now)):
                return
        if not since:
            raise Unplayable(number, Kind.MOVE, "the saved battle has ended before; leave this row out")
        if on.until is not None or on.actions != len(since):
            end = f"the saved battle ends {len(since)} actions after the row before it"
            raise Unplayable(number, Kind.MOVE, f"{end}, and what is waited for has not come by then")

    # --- asking ------------------------------------------------------------------------------------------------------

    def _proof(self, number: int, key: str, shown: ShowRow) -> Verdict:
        try:
            verdict = conditions.asked(shown, self.battle)
        except TabletopError as error:
            raise Unplayable(number, key, f"{shown.ask} {' '.join(shown.args)}: {error}") from None
        if shown.holds is not None and verdict.holds != shown.holds:
            answered, wanted = (YES_NO[not answer].lower() for answer in (verdict.holds, shown.holds))
            raise Unplayable(
                number, key, f"{shown.ask} {' '.join(shown.args)} is answered {answered} by then, not {wanted}"
            )
        return verdict

    def _asked(self, number: int, row: CueRow) -> Iterator[Cue]:
        proof = self._proof(number, "proof", row.proof) if row.proof is not None else None
        choices = tuple(filled(choice, self.battle) for choice in row.choices)
        right = None if row.right is None else row.right - 1
        if proof is not None and not choices:
            choices, right = YES_NO, int(not proof.holds)
        asked = Asked(filled(str(row.ask), self.battle), choices, right)
        self.text = asked.text
        yield replace(self._cue(number, row), asked=asked, ends=False)
        if proof is not None:
            self.proofs = (proof,)
        self.text = filled(row.answer, self.battle) if row.answer else asked.text
        if row.answer or choices:
            yield replace(self._cue(number, row), asked=asked, answered=True)
