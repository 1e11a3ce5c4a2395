"""Chooses actions: their kind, their target, and the proposal with its odds that waits to be confirmed."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.action import Action
from tabletop.battle.progress import frozen
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.play.alternatives import in_its_place
from tabletop.play.coach import FLANK, Coach, flank, moves, waste
from tabletop.play.engine import play_of
from tabletop.render.battle import eligible, shape
from tabletop.render.battle.game import Game
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.judge_requests import FlankRequest, NearestRequest
from tabletop.render.battle.model import (
    LayAside,
    OfferBetween,
    Pick,
    Proposal,
    Propose,
    Refuse,
    RefusedMove,
    SayRefused,
)
from tabletop.render.battle.offers import against, judged, offers
from tabletop.render.battle.store import GameStore
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import AwaitJudge, Hold, LetGo, Note
from tabletop.rules.asked import MOVE

#: Frames to wait for the coach: about a second.
PATIENCE = 60


class Proposals:
    """The player's intended action, tried against the rules."""

    def __init__(self, store: GameStore, controller: TableController, game: Game) -> None:
        self._store, self._controller, self._game = store, controller, game
        self.coach = Coach()
        #: The proposal the coach is judging, and the frames left to wait for the answer.
        self._asked: Proposal | None = None
        self._patience = 0

    @property
    def _model(self) -> GameModel:
        return self._store.model

    # --- choosing ----------------------------------------------------------------------------------------------------

    def pick(self, kind: str) -> None:
        """Choose a kind of action from the menu; propose or do it at once if it needs no further choice."""
        if self._model.acting_unit is None or kind not in {c.kind for c in self._model.menu if c.open}:
            return
        self.lay_aside()
        self._store.update(Pick(kind))
        unit = self._model.table.unit
        if unit is not None and eligible.by_hand(self._model.table.battle, kind, unit):
            self._controller.update(LetGo())
            self._controller.choose(kind)
            if not shape.goes(self._model):
                self._controller.take(unit.at)
                self._controller.ask_move()
            return
        plain = self._model.facts.plain(self._model.chosen.actor, kind)
        if plain is not None and offers(self._model) == (plain,):
            self.propose(plain)

    def choose_group(self, group: str) -> None:
        """Let a group act."""
        action = eligible.choosing(self._model.table.battle, group)
        if action is not None and self._model.facts.human_turn:
            self.propose(action)

    def attacks(self, enemy: Unit) -> bool:
        """Return whether the selected unit may attempt an action against this enemy."""
        mine = self._model.table.unit
        return mine is not None and self._model.may_act(mine) and enemy.side != mine.side and bool(self._aimed_kinds())

    def _aimed_kinds(self) -> tuple[str, ...]:
        battle, picked = self._model.table.battle, self._model.chosen.picked
        kinds = tuple(c.kind for c in self._model.menu if c.open and eligible.aimed(battle, c.kind))
        return (picked,) if picked in kinds else kinds

    def attack(self, enemy: str) -> None:
        """Propose what the selected unit may do to an enemy; if several kinds are open, offer a choice."""
        unit = self._model.table.unit
        assert unit is not None
        actions = [against(self._model, unit, kind, enemy) for kind in self._aimed_kinds()]
        answers = [(action, self._judged(action)) for action in actions]
        allowed = tuple(action for action, verdict in answers if verdict is not None and verdict.holds)
        others = [(verdict, self._in_its_place(action, verdict)) for action, verdict in answers]
        self.lay_aside()
        refused = next((verdict for verdict, instead in others if instead), None)
        if refused is not None:
            instead = (*allowed, *(action for _, offered in others for action in offered))
            self._store.update(Refuse(refused, instead))
        elif len(allowed) == 1:
            self.propose(allowed[0])
        elif allowed:
            self._store.update(OfferBetween(allowed))
        else:
            why = next((verdict for _, verdict in answers if verdict is not None), None)
            self._store.update(SayRefused(why, self._model.chosen.last_refused))

    def _in_its_place(self, action: Action, verdict: Verdict | None) -> tuple[Action, ...]:
        """Return what is offered instead of a refused action, such as the infantry instead of the guns it supports."""
        return in_its_place(self._model.table.battle, action, verdict) if action.target is not None else ()

    def aim(self, kind: str, enemy: str) -> None:
        """Propose this kind of action against an enemy."""
        unit = self._model.table.unit
        if unit is not None and self._model.may_act(unit) and self._model.table.battle.has(enemy):
            self.propose(against(self._model, unit, kind, enemy))

    def _judged(self, action: Action) -> Verdict | None:
        """Return the verdict on an action; None, with a note, if it makes no sense."""
        verdict = judged(self._model, action)
        if isinstance(verdict, str):
            self._controller.update(Note(verdict))
            return None
        return verdict

    # --- proposing ---------------------------------------------------------------------------------------------------

    def propose(self, action: Action) -> None:
        """Show the odds of an action; do it at once if no dice are thrown; if it is refused, show why.

        A shot that is certain to be wasted must be confirmed too.
        """
        verdict = self._judged(action)
        if verdict is None or not verdict.holds:
            self._controller.update(LetGo())
            self._store.update(Refuse(verdict, self._in_its_place(action, verdict)))
            return
        battle = self._model.table.battle
        odds = play_of(battle).odds(battle, action)
        certain = odds is None or (len(odds.results) < 2 and action.target is None)
        asks = self.coach.speaks(action.side, FLANK) and moves(battle, verdict)
        if certain and not asks:
            self._game.do(action)
            return
        findings = waste(verdict, odds) if odds is not None else ()
        warning = self.coach.warning(action.side, findings)
        proposal = Proposal(action, None if certain else odds, verdict, findings, warning)
        self._store.update(Propose(proposal))
        self._controller.update(Note(""))
        if asks:
            self._ask_coach(proposal)

    def _ask_coach(self, proposal: Proposal) -> None:
        """Let a worker find out whether an action opens a flank."""
        self._asked, self._patience = proposal, PATIENCE
        self._controller.judge.forget("coach")
        self._controller.judge.put(FlankRequest(("coach",), "coach", rank=0, move=proposal.verdict))

    def hear(self) -> None:
        """Take in the coach's answer; call it once a frame. If it has no warning, do what waits for it alone."""
        proposal, answer = self._model.chosen.proposal, self._model.table.answers.get(("coach",))
        if self._asked is None or proposal is not self._asked:
            self._asked = None
            return
        self._patience -= 1
        if answer is None and self._patience:
            return
        self._asked, battle, side = None, self._model.table.battle, proposal.action.side
        findings = (*proposal.findings, *flank(battle, answer if isinstance(answer, Verdict) else None))
        completed = replace(proposal, findings=findings, warning=self.coach.warning(side, findings))
        self._store.update(Propose(completed))
        if completed.odds is None and completed.warning is None:
            self.confirm()

    def confirm(self) -> None:
        """Do the proposed action; the coach counts the rules used correctly."""
        proposal, done = self._model.chosen.proposal, len(self._game.session.steps)
        if proposal is not None:
            self._game.do(proposal.action)
            if len(self._game.session.steps) > done:
                self.coach.done(proposal.action.side, proposal.findings)

    def settle(self) -> None:
        """Propose an action of the chosen kind with the options set, if the kind needs neither a path nor a target."""
        unit, kind = self._model.acting_unit, self._model.chosen.picked
        if unit is not None and kind is not None and self._model.table.drag is None:
            self.propose(Action(kind, unit.side, unit.id, options=frozen(shape.shaped(self._model, kind))))

    def take_nearest(self) -> None:
        """Do as much of the refused move as is allowed, or propose it if dice are thrown."""
        refused, near = self._model.chosen.refused_move, self._model.nearest
        if refused is not None and near is not None:
            action = replace(refused.action, options=near.options)
            self.lay_aside()
            self.propose(action)

    def lay_aside(self) -> None:
        """Discard the proposal, the refusal and the choices."""
        self._store.update(LayAside())

    # --- what is drawn of it -----------------------------------------------------------------------------------------

    def put_down(self) -> bool:
        """Propose or do the move in hand if it is allowed; return whether it is. Here no rule can be set aside."""
        table = self._model.table
        drag = table.drag
        if drag is None or self._model.chosen.proposal is not None:
            return False
        if self._controller.judge.awaited:
            self._controller.update(AwaitJudge(False))
            return False
        verdict, message = table.verdict(MOVE), table.answers.get((MOVE,))
        if verdict is not None and verdict.holds:
            self.propose(shape.action_of(self._model, drag))
            return True
        if shape.on_the_spot(self._model) and verdict is not None:
            self._controller.update(Hold(replace(drag, let_go=None)))
            self._controller.update(Note("It may not stand so: shape it otherwise, or let go of it with Esc."))
            return False
        refused = RefusedMove(shape.action_of(self._model, drag), verdict, table.ghost) if verdict is not None else None
        self._controller.update(LetGo())
        self._controller.judge.ask_afresh()
        self._controller.update(Note(message if isinstance(message, str) else ""))
        self._store.update(SayRefused(verdict, refused))
        self._ask_nearest(refused)
        return False

    def _ask_nearest(self, refused: RefusedMove | None) -> None:
        """Ask how much of a refused move's path is allowed."""
        if refused is not None and "path" in eligible.kind_of(self._model.table.battle, refused.action.kind).needs:
            names = (str(refused.action.unit),)
            self._controller.judge.put(NearestRequest(("nearest",), MOVE, names, {}, rank=0, action=refused.action))
