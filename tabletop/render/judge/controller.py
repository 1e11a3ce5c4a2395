"""The controller of the judge's table: its pages, placing and tracing, the question asked. Knows no pygame."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import TabletopError
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.files.draft import Draft, entered, entered_facing, laid
from tabletop.play.workers.judge_worker import AnyJudgeWorker
from tabletop.play.workshop.sources import Origin
from tabletop.render.judge.asking import Asking, answered
from tabletop.render.judge.backdrop import Backdrop
from tabletop.render.judge.editing import FINE_TURN, TURN, Editor
from tabletop.render.judge.game_keys import Terms
from tabletop.render.judge.history import History
from tabletop.render.judge.placing import Placing, new_placing
from tabletop.render.judge.tracing import Misfit, lying, misfit, no_rectangle
from tabletop.rules import rule_set


class Mode(StrEnum):
    """The page of the panel, which also determines the action of a click on the table."""

    TABLE = "table"
    PLACE = "place"
    EDIT = "edit"
    PHOTO = "photo"
    ARMY = "roster"
    BATTLE = "battle"
    ASK = "ask"
    CARD = "card"


def _first_question(rules: str) -> Asking:
    """Return the first question in hand: that of the second button, after the distance."""
    questions = answered(rules)
    return Asking(rules, questions[1 if len(questions) > 1 else 0])


@dataclass(kw_only=True)
class JudgeController(Editor):
    """The state of the judge's table. ``path`` is the scene's file, ``kept`` the draft as last saved or opened.

    In the workshop ``building`` is True: files are then written back as they were opened (``origin``), and the pages
    *Army* and *Battle* use ``limit`` (points), ``force`` (an army of the library) and ``terms``.
    """

    worker: AnyJudgeWorker
    placing: Placing
    backdrop: Backdrop
    path: Path | None = None
    kept: Draft | None = None
    mode: Mode = Mode.TABLE
    asking: Asking
    #: Whether the cursor was last moved by keys rather than by the mouse.
    by_keys: bool = False
    building: bool = False
    origin: Origin | None = None
    terms: Terms = field(default_factory=Terms)
    limit: float | None = None
    force: str = ""
    _worker_battle: Battle | None = None

    @classmethod
    def of(cls, draft: Draft, worker: AnyJudgeWorker, inline: bool = False) -> JudgeController:
        """Return the controller of a draft."""
        return cls(
            history=History(draft), laid=laid(draft), worker=worker, placing=new_placing(draft),
            backdrop=Backdrop(inline), kept=draft, asking=_first_question(draft.rules),
        )  # fmt: skip

    @property
    def changed(self) -> bool:
        """Whether anything is unsaved."""
        return self.draft != self.kept

    @property
    def questions(self) -> list[str]:
        """The questions that may be asked."""
        return answered(self.draft.rules)

    def relaid(self) -> None:
        """Set up the draft as it is now, and ask the question in hand again."""
        before = self.laid.draft
        if self.draft is before:
            return
        super().relaid()
        if self.draft.rules != before.rules or self.draft.rulings != before.rulings:
            self.placing = new_placing(self.draft, self.placing)
            if self.asking.question not in self.questions:
                self.asking = Asking(self.draft.rules, self.questions[0])
            self.asking.rules = self.draft.rules
        self.asking.forget(self.battle)
        if self.mode in (Mode.ASK, Mode.CARD):
            self.put()

    def turn_to(self, mode: Mode) -> None:
        """Switch to another page of the panel."""
        self.mode, self.note, self.held, self.pulled = mode, "", None, None
        self.placing.corners.clear()
        self.backdrop.clear_clicks()
        self.placing.held = self.placing.held and mode is Mode.PLACE
        self.terms.tool = ""
        if mode in (Mode.ASK, Mode.CARD) and self.asking.answer is None:
            self.put()

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn whatever is about to be placed, in hand, or selected; clockwise positive."""
        if self.mode is Mode.PLACE:
            degrees = notches * (FINE_TURN if fine else TURN)
            self.placing.facing = entered_facing(self.placing.facing + degrees)
        else:
            super().turn(notches, fine)

    @property
    def ghosts(self) -> list[Unit]:
        """The units in hand, where they would stand."""
        if self.mode is Mode.PHOTO:
            return self._traced_ghosts()
        if self.mode is not Mode.PLACE:
            return super().ghosts
        unit = self.in_hand
        return [] if unit is None else [unit]

    def _traced_ghosts(self) -> list[Unit]:
        """Return the unit that best fits a traced base, where it would stand, until the player decides."""
        problem = self.misfit
        if problem is None or not problem.fits:
            return []
        unit = replace(self.placing, unit=problem.fits[0].row).at((0.0, 0.0))
        return [] if unit is None else [lying(unit, self.backdrop.clicks)]

    # --- placing -----------------------------------------------------------------------------------------------------

    @property
    def in_hand(self) -> Unit | None:
        """The unit about to be placed, at the cursor."""
        placing = self.placing
        if not placing.held or placing.what != "unit":
            return None
        unit = placing.at((entered(self.cursor)[0], entered(self.cursor)[1]))
        if unit is None or self.loose:
            return unit
        return self.flush(unit) or unit

    def place(self, point: Point) -> None:
        """Put down the unit in hand, or click a corner of the piece in hand."""
        self.cursor = point
        if not self.placing.held:
            self.note = "Choose troops or a kind of terrain first."
        elif self.placing.what == "unit":
            unit = self.in_hand
            if unit is not None:
                self.stand(unit.at, unit.facing)
        else:
            self.placing.corners.append(point)

    def stand(self, at: Point, facing: float) -> None:
        """Place a new unit of the chosen troops with its centre at a point."""
        row = self.placing.row_at(self.draft, at, facing)
        self.put_rows([row])
        self.selected, self.placing.name = (row["id"],), ""

    def close_piece(self, closed: bool) -> None:
        """Finish the piece whose corners are being clicked; ``closed`` makes an area of what could also be a line."""
        row = self.placing.piece_row(self.draft, closed)
        self.placing.corners.clear()
        if row is None:
            self.note = "Too few corners: an area needs three, a line two."
            return
        self.put_rows([row])
        self.selected = (row["id"],)

    def trace(self, point: Point) -> None:
        """Click a corner of a unit on the photo; the third one places a unit of the chosen troops there, if it fits."""
        if self.misfit is not None:
            self.note = "First say what was traced, or trace it again (Esc)."
            return
        self.note = ""
        self.backdrop.clicks.append(point)
        if len(self.backdrop.clicks) == 3:
            self.trace_now()

    def trace_now(self) -> None:
        """Place a unit by the two or three corners clicked; if it does not fit them, wait for the player's decision."""
        clicks, placing = self.backdrop.clicks, self.placing
        if len(clicks) < 2:
            return
        if no_rectangle(clicks, self.near):
            clicks.clear()
            self.note = "These corners make no rectangle: click front left, front right, then rear right."
            return
        self.backdrop.misfit = misfit(placing.rules, placing.rulings, placing.unit, clicks, self.near)
        if self.backdrop.misfit is None:
            self.stand_traced()

    def stand_traced(self) -> None:
        """Place the chosen unit where it fits the clicked corners best, even if not exactly."""
        unit = self.placing.at((0.0, 0.0))
        if unit is not None:
            fitted = lying(unit, self.backdrop.clicks)
            self.stand(fitted.at, fitted.facing)
        self.backdrop.clear_clicks()

    def take_fit(self, number: int) -> None:
        """Choose a formation that fits the clicked corners, counted from 0, and place it there."""
        problem = self.misfit
        if problem is not None and number < len(problem.fits):
            self.placing.unit = problem.fits[number].row
            self.stand_traced()

    @property
    def misfit(self) -> Misfit | None:
        """A traced base that is not of the chosen unit's size, until the player decides what it is."""
        return self.backdrop.misfit if self.mode is Mode.PHOTO else None

    # --- asking ------------------------------------------------------------------------------------------------------

    def ask(self, question: str) -> None:
        """Switch to a question."""
        self.asking.ask(question)
        self.put()

    def click(self, point: Point, by: bool = False) -> None:
        """Use a click for the question in hand, with ``by`` as a point of the path; once complete, ask it."""
        unit = self.unit_at(point)
        if self.asking.take(unit.id if unit else None, point, by):
            self.note = ""
            self.put()
        elif self.asking.wanted is not None:
            self.note = self.asking.wanted[1]

    def put(self) -> None:
        """Ask the question, if everything is clicked and the position is valid."""
        asking = self.asking
        asking.answer, asking.waits = None, False
        self.worker.clear()
        if not self.laid.sound:
            return
        self._settle()
        if not asking.complete:
            return
        if self._worker_battle is not self.battle:
            self.worker.stands(self.battle)
            self._worker_battle = self.battle
        try:
            self.worker.put(asking.request(self.battle))
            asking.waits = True
        except TabletopError as refused:
            asking.answer = str(refused)

    def _settle(self) -> None:
        """Note whether the chosen way of moving changes formation on the spot."""
        asking, rules = self.asking, rule_set.find(self.draft.rules)
        if "as" in asking.wording.extras and asking.units:
            ways = asking.actions(self.battle)
            chosen = asking.extras.get("as") if asking.extras.get("as") in ways else (ways[0] if ways else "")
            asking.extras["on_the_spot"] = "yes" if chosen in rules.on_the_spot else ""

    def listen(self) -> None:
        """Take in what has arrived: answers, photos. Call it once a frame."""
        for _, answer in self.worker.take():
            self.asking.answer, self.asking.waits = answer, False
        self.backdrop.listen(self.size)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the question in hand, None until it arrives."""
        answer = self.asking.answer
        return answer if isinstance(answer, Verdict) else None

    def close(self) -> None:
        """Stop the background work."""
        self.worker.close()
        self.backdrop.close()


def fingerprint(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
