"""Asks the judge about a table, and takes his answers into its model. Knows no pygame.

Every answer shown comes from the judge, through two workers: a quick one for what follows the mouse, a slow one for
areas.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play.workers.judge_worker import Answer, AnyJudgeWorker, Errand
from tabletop.render.table import plans, questions
from tabletop.render.table.model import Await, Command, Foresee, Forget, Hear, TableModel, Trail, update
from tabletop.render.table.tools import FREE
from tabletop.render.table.ways import Ways
from tabletop.rules.asked import MOVE


class AnyStore(Protocol):
    """What holds the model of a table, by itself or as a part of a larger model."""

    @property
    def model(self) -> TableModel: ...
    def update(self, command: Command) -> bool: ...


class Store:
    """Holds the model of a table, and changes it by commands alone."""

    def __init__(self, model: TableModel) -> None:
        self.model = model

    def update(self, command: Command) -> bool:
        """Change the model as a command says; return whether anything is other than before."""
        before, self.model = self.model, update(self.model, command)
        return self.model is not before


class JudgeClient:
    """Puts questions about a table to the judge; what is asked is pending in the model until it is answered."""

    def __init__(self, store: AnyStore, quick: AnyJudgeWorker, slow: AnyJudgeWorker, ways: Ways) -> None:
        self._store, self.quick, self.slow, self._ways = store, quick, slow, ways
        self._foreseen_of: tuple[Any, ...] = ()

    @property
    def _model(self) -> TableModel:
        return self._store.model

    # --- what comes in -----------------------------------------------------------------------------------------------

    def listen(self, judged: Callable[[], None]) -> None:
        """Take in the answers that have come; ``judged`` is called after one on the move in hand."""
        for worker in (self.quick, self.slow):
            heard: dict[Hashable, Answer] = {}
            for key, answer in worker.take():
                if isinstance(key, tuple) and key[0] == "threat":
                    self._store.update(Foresee({**self._model.foreseen, key[1]: answer}))
                    continue
                heard[key] = answer
                if key == (MOVE,):
                    self._hear(heard)
                    heard = {}
                    judged()
            self._hear(heard)
        self._pending()

    def _hear(self, answers: dict[Hashable, Answer]) -> None:
        self._pending()
        if answers:
            self._store.update(Hear(answers))

    def _pending(self) -> None:
        """Note in the model what is asked and not answered."""
        self._store.update(Await(frozenset(self.quick.busy | self.slow.busy)))

    @property
    def awaited(self) -> bool:
        """True while the judge has not said of the place where the hand is now."""
        drag = self._model.drag
        return (drag is not None and drag.behind) or (MOVE,) in self._model.pending

    def close(self) -> None:
        """End the workers."""
        self.quick.close()
        self.slow.close()

    # --- what is asked -----------------------------------------------------------------------------------------------

    def put(self, *errands: Errand, slow: bool = False) -> None:
        """Put questions."""
        (self.slow if slow else self.quick).put(*errands)
        self._pending()

    def forget(self, *of: str) -> None:
        """Forget the answers to some questions."""
        self._store.update(Forget(of))

    def stands(self, battle: Battle) -> None:
        """Let the workers know how the battle stands."""
        self.quick.stands(battle)
        self.slow.stands(battle)

    def moved(self, unit: Unit) -> None:
        """Let the workers know where a unit stands now."""
        self.quick.moved(unit)
        self.slow.moved(unit)

    def ask_afresh(self) -> None:
        """Drop all questions and answers, and ask again what is to be known."""
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
        """Ask what the overlays show of a unit as it stands, or as its ghost would."""
        model, asked = self._model, list(questions.of_unit(self._model.battle, unit, placed))
        self.put(*questions.ground(model.battle, unit, placed), slow=True)
        planned = questions.planning(model, self._ways.viewer(model), unit, placed) if placed else ()
        self.put(*asked, *planned)

    def ask_why(self) -> None:
        """Ask why the enemy under the cursor is marked as he is."""
        self.forget("why")
        self.put(*questions.why(self._model))

    def ask_reach(self) -> None:
        """Ask how far the unit selected can go."""
        for errand in questions.reach(self._model, self._ways.goes(self._model)):
            self.put(errand, slow=True)

    def ask_ghost(self) -> None:
        """Ask what the unit in hand would do where it would stand."""
        ghost = self._model.ghost
        if ghost is not None:
            self._ask_about(ghost, (ghost,))

    def ask_move(self) -> None:
        """Ask whether the unit in hand may go where the hand is."""
        drag = self._model.drag
        if drag is None:
            return
        if self._model.action == FREE:
            self.ask_ghost()
            return
        # A question under way is answered before the next is put: else a hand that never rests is never answered.
        behind = (MOVE,) in self.quick.busy
        self._store.update(Trail(behind))
        if not behind:
            errand = self._ways.errand(self._model, drag)
            self.put(errand, slow="to" in errand.options)

    def ask_stretch(self) -> None:
        """Ask for the proof of a sight line, or how long a tape between units is."""
        self.forget("stretch")
        self.put(*questions.stretch(self._model))

    def ask_plans(self) -> None:
        """Ask what the overlays for planning show and is not known yet."""
        model, ghost = self._model, self._model.ghost
        about = questions.planning(model, self._ways.viewer(model), ghost or model.unit, (ghost,) if ghost else ())
        self.put(*(errand for errand in about if errand.key not in model.answers))
        self._foresee()

    def _foresee(self) -> None:
        """Ask what of the enemy's next turn is not known yet; forget it when anybody stands elsewhere."""
        here = plans.standing(self._model.battle)
        if here != self._foreseen_of:
            self._store.update(Foresee({}))
            self._foreseen_of = here
        under_way, threats = self.slow.busy, questions.threats(self._model, self._ways.viewer(self._model))
        self.put(*(errand for errand in threats if errand.key not in under_way), slow=True)
