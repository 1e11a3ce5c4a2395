"""Asks the judge about a table, and puts the answers into its model. Knows no pygame.

Every answer shown comes from the judge, through two workers: a quick one for what follows the mouse, and a slow one for
areas.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play.workers.judge_worker import Answer, AnyJudgeWorker, JudgeRequest
from tabletop.render.table import plans, questions
from tabletop.render.table.model import Await, Command, Forget, SetForeseen, TableModel, TakeAnswers, Trail, update
from tabletop.render.table.tools import FREE
from tabletop.render.table.ways import Ways
from tabletop.rules.asked import MOVE


class AnyStore(Protocol):
    """Holder of a table's model, by itself or as part of a larger model."""

    @property
    def model(self) -> TableModel: ...
    def update(self, command: Command) -> bool: ...


class Store:
    """Holds the model of a table; only commands change it."""

    def __init__(self, model: TableModel) -> None:
        self.model = model

    def update(self, command: Command) -> bool:
        """Apply a command to the model; return whether anything changed."""
        before, self.model = self.model, update(self.model, command)
        return self.model is not before


class JudgeClient:
    """Puts questions about a table to the judge; in the model each is pending until answered."""

    def __init__(self, store: AnyStore, quick: AnyJudgeWorker, slow: AnyJudgeWorker, ways: Ways) -> None:
        self._store, self.quick, self.slow, self._ways = store, quick, slow, ways
        self._foreseen_of: tuple[Any, ...] = ()

    @property
    def _model(self) -> TableModel:
        return self._store.model

    # --- answers -----------------------------------------------------------------------------------------------------

    def listen(self, judged: Callable[[], None]) -> None:
        """Take in the judge's answers; ``judged`` is called after each answer about the move in hand."""
        for worker in (self.quick, self.slow):
            arrived: dict[Hashable, Answer] = {}
            for key, answer in worker.take():
                if isinstance(key, tuple) and key[0] == "threat":
                    self._store.update(SetForeseen({**self._model.foreseen, key[1]: answer}))
                    continue
                arrived[key] = answer
                if key == (MOVE,):
                    self._take_answers(arrived)
                    arrived = {}
                    judged()
            self._take_answers(arrived)
        self._pending()

    def _take_answers(self, answers: dict[Hashable, Answer]) -> None:
        self._pending()
        if answers:
            self._store.update(TakeAnswers(answers))

    def _pending(self) -> None:
        """Note in the model which questions are pending."""
        self._store.update(Await(frozenset(self.quick.busy | self.slow.busy)))

    @property
    def awaited(self) -> bool:
        """True while the judge has not answered for the cursor's present place."""
        drag = self._model.drag
        return (drag is not None and drag.behind) or (MOVE,) in self._model.pending

    def close(self) -> None:
        """Stop the workers."""
        self.quick.close()
        self.slow.close()

    # --- questions ---------------------------------------------------------------------------------------------------

    def put(self, *requests: JudgeRequest, slow: bool = False) -> None:
        """Put questions to a worker."""
        (self.slow if slow else self.quick).put(*requests)
        self._pending()

    def forget(self, *of: str) -> None:
        """Forget the answers to some questions."""
        self._store.update(Forget(of))

    def stands(self, battle: Battle) -> None:
        """Pass the workers the battle as it stands."""
        self.quick.stands(battle)
        self.slow.stands(battle)

    def moved(self, unit: Unit) -> None:
        """Pass the workers a unit as it stands now."""
        self.quick.moved(unit)
        self.slow.moved(unit)

    def ask_afresh(self) -> None:
        """Drop all questions and answers, and ask again for everything needed now."""
        self.quick.clear()
        self.slow.clear()
        self._store.update(Forget())
        self._store.update(Trail(False))
        if self._model.unit is not None:
            self._ask_about(self._model.unit, ())
            self.ask_reach()
        self.ask_stretch()
        self.ask_plans()

    def _ask_about(self, unit: Unit, placed: tuple[Unit, ...]) -> None:
        """Ask what the overlays show for a unit where it stands, or for its ghost."""
        model, asked = self._model, list(questions.of_unit(self._model.battle, unit, placed))
        self.put(*questions.ground(model.battle, unit, placed), slow=True)
        planned = questions.planning(model, self._ways.viewer(model), unit, placed) if placed else ()
        self.put(*asked, *planned)

    def ask_why(self) -> None:
        """Ask why the enemy under the cursor is marked as it is."""
        self.forget("why")
        self.put(*questions.why(self._model))

    def ask_reach(self) -> None:
        """Ask how far the selected unit can go."""
        for request in questions.reach(self._model, self._ways.goes(self._model)):
            self.put(request, slow=True)

    def ask_ghost(self) -> None:
        """Ask what the unit in hand would do where its ghost stands."""
        ghost = self._model.ghost
        if ghost is not None:
            self._ask_about(ghost, (ghost,))

    def ask_move(self) -> None:
        """Ask whether the unit in hand may move to the cursor."""
        drag = self._model.drag
        if drag is None:
            return
        if self._model.action == FREE:
            self.ask_ghost()
            return
        # Let a pending question be answered before asking the next: else a moving mouse would never get an answer.
        behind = (MOVE,) in self.quick.busy
        self._store.update(Trail(behind))
        if not behind:
            request = self._ways.request(self._model, drag)
            self.put(request, slow="to" in request.options)

    def ask_stretch(self) -> None:
        """Ask for the proof of a sight line, or how long a tape between units is."""
        self.forget("stretch")
        self.put(*questions.stretch(self._model))

    def ask_plans(self) -> None:
        """Ask what the planning overlays show, unless it is known already."""
        model, ghost = self._model, self._model.ghost
        about = questions.planning(model, self._ways.viewer(model), ghost or model.unit, (ghost,) if ghost else ())
        self.put(*(request for request in about if request.key not in model.answers))
        self._foresee()

    def _foresee(self) -> None:
        """Ask what is not yet known of the enemy's next turn; forget the old answers when any unit has moved."""
        positions = plans.standing(self._model.battle)
        if positions != self._foreseen_of:
            self._store.update(SetForeseen({}))
            self._foreseen_of = positions
        under_way, threats = self.slow.busy, questions.threats(self._model, self._ways.viewer(self._model))
        self.put(*(request for request in threats if request.key not in under_way), slow=True)
