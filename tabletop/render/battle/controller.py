"""Controls a battle being played: the unit in hand shows an action, which is judged by all rules and then confirmed.

It differs from the controller of a measuring table when a unit is let go: the unit is not put down but its action
proposed, with odds where dice are thrown, and the engine does it. Nothing else changes the battle.
"""

from __future__ import annotations

from tabletop.geometry.measure import Point
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import AnyJudgeWorker
from tabletop.play.workers.player_worker import AnyPlayerWorker
from tabletop.render.battle import shape
from tabletop.render.battle.computers import Computers
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.game import Game, opened
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.model import BattleModel, Pick, PutAwayRefusal, SayRefused, TakeHold, TurnTo
from tabletop.render.battle.playback import hidden
from tabletop.render.battle.proposals import Proposals
from tabletop.render.battle.shape import GameWays
from tabletop.render.battle.shaping import Shaping
from tabletop.render.battle.store import GameStore
from tabletop.render.events.traces import Traces
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import Choose, LetGo, Note, TableModel
from tabletop.render.table.picture import Picture


class BattleController(TableController):
    """A table on which a battle is played."""

    def __init__(
        self,
        session: Session,
        quick: AnyJudgeWorker,
        slow: AnyJudgeWorker,
        player_worker: AnyPlayerWorker,
        computers: Computers,
    ) -> None:
        battle = session.known
        facts = Facts(battle, computers.sides)
        self._game_store = GameStore(GameModel(TableModel(battle), BattleModel(), facts, opened(session)))
        super().__init__(self._game_store.table, quick, slow, GameWays(self._game_store))
        self.game = Game(self._game_store, self, session, computers, player_worker)
        self._traces = Traces()
        self.shaping = Shaping(self._game_store, self)
        self.proposals = Proposals(self._game_store, self, self.game)
        self.game.stand(self.state.record.lines, ())
        self.update(Note(self.game.news() or self.model.note))

    # --- its parts ---------------------------------------------------------------------------------------------------

    @property
    def state(self) -> GameModel:
        """The whole state of the battle."""
        return self._game_store.model

    def picture(self) -> Picture:
        """Return what the table's views draw; during playback, the table as of then with the names left in place."""
        state, stage = self.state, self.game.stage
        seen, show, model = stage.seen, stage.show, state.table
        drawn = model.battle if seen is None else seen.battle
        labelled = show.act.before if show is not None and stage.running else model.battle
        faint = (model.drag.unit.id,) if model.drag is not None else ()
        left = self._traces.of(state.record.steps, show.act.before if show is not None and stage.running else None)
        return Picture(model, drawn, labelled, faint, hidden(stage), state.named_first, state.viewer, left)

    @property
    def spots(self) -> tuple[Point, ...]:
        """Where to look: at the units a question is about, else at an action the player did not do himself."""
        state, show = self.state, self.game.stage.show
        if state.table.battle.pending and state.facts.human_turn:
            return state.asked_of
        return show.spots if show is not None and show.card else ()

    def listen(self) -> None:
        """Take in the workers' answers; call it once a frame."""
        super().listen()
        self.game.listen()
        self.proposals.hear()

    def close(self) -> None:
        """Stop the workers and the saving."""
        super().close()
        self.game.player_worker.close()
        self.game.session.close()

    # --- selecting ---------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit on the table, or none; discard any proposal."""
        self.proposals.lay_aside()
        self._game_store.update(TurnTo(name))
        if self.model.drag is not None and name == self.model.selected:
            self.update(LetGo())
            self.judge.ask_afresh()
        if name != self.model.selected:
            self.update(Choose(""))  # choices made for another unit do not apply to this one
        super().select(name)
        self.game.ask_offers()

    def call(self, name: str) -> None:
        """Turn to a unit from a list: select it if it is on the table, else only open its menu."""
        self.game.turn_to(name)

    def click(self, name: str | None) -> None:
        """Handle a click on a unit or on bare ground; clicking an enemy attacks it if the selected unit may."""
        if self.state.chosen.proposal is not None:
            self.update(Note("First confirm the action, or go back."))
            return
        if self.shaping.toggles(name) or (name is None and shape.on_the_spot(self.state)) or self._to_be_dragged(name):
            return
        unit = self.model.battle.unit(name) if name else None
        if unit is not None and self.proposals.attacks(unit):
            self.proposals.attack(unit.id)
        else:
            self.select(name)

    def _to_be_dragged(self, name: str | None) -> bool:
        """Return whether this unit waits to be dragged for a chosen kind of move; then a click must not reselect it."""
        waits = self.state.chosen.picked is not None and self.model.drag is None
        return name is not None and name == self.model.selected and waits

    # --- dragging ----------------------------------------------------------------------------------------------------

    @property
    def _free(self) -> bool:
        """Whether units can be moved by hand: no action waits to be confirmed."""
        return self.state.chosen.proposal is None

    @property
    def _may_show(self) -> bool:
        """Whether the selected unit can be moved by hand to show an action."""
        return self._free and self.state.may_act(self.model.unit) and self.model.action in self.actions

    def take(self, point: Point) -> None:
        """Take hold of the selected unit, if it may act."""
        if self._may_show:
            self._game_store.update(SayRefused(None, self.state.chosen.last_refused))
            super().take(point)
            self.shaping.go_so()

    def drag_to(self, point: Point) -> None:
        """Move the ghost under the cursor, unless something waits to be confirmed."""
        if self._free:
            super().drag_to(point)

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn the ghost of a unit that may act."""
        if self._may_show:
            super().turn(notches, fine)

    def drop_waypoint(self) -> None:
        """Fix the way as far as the cursor, unless something waits to be confirmed."""
        if self._free:
            super().drop_waypoint()

    def find_way(self, on: bool) -> None:
        """Let the judge find the route, unless something waits to be confirmed."""
        if self._free:
            super().find_way(on)

    def ask_move(self) -> None:
        """Ask whether the action in hand is allowed."""
        if shape.on_the_spot(self.state):
            self.update(Note(""))  # the note was about the shape before this one
        super().ask_move()

    def release(self, anyway: bool = False) -> bool:
        """Let go: propose an allowed move, or do it if no dice are thrown; here no rule can be set aside."""
        if self.model.drag is not None and self._free and not self.judge.awaited:
            self._game_store.update(TakeHold(None))
        return self.proposals.put_down()

    def take_back(self) -> None:
        """Take back a person's last action, unless dice have been thrown since."""
        self.game.take_back()

    def cancel(self) -> None:
        """Discard the proposal; else the choice; else let go of the unit and deselect it."""
        chosen, held = self.state.chosen, self.model.drag is not None
        if chosen.refused is not None and not held:
            self._game_store.update(PutAwayRefusal())
            self.judge.forget("nearest")
        elif chosen.proposal is not None or chosen.between or (chosen.picked and not held):
            self.proposals.lay_aside()
            self.update(LetGo())
            self.update(Note(""))
            if held:
                self.judge.ask_afresh()
        else:
            self._game_store.update(Pick(None))
            off_table = chosen.actor is not None and self.model.selected is None
            super().cancel()
            self._game_store.update(TurnTo(None if off_table else self.model.selected))
