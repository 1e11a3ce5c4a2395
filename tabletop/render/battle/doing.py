"""The desk of a battle being played: what the hand shows is an action, judged by every rule, done when confirmed.

The measuring desk underneath goes on working as it does. Here a unit let go is not put down: the action is proposed,
with its odds where chance has a hand in it, and the engine does it. Nothing else changes the battle.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.action import Action, answer
from tabletop.battle.progress import frozen
from tabletop.battle.unit import Unit
from tabletop.errors import Illegal, TabletopError
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.play.alternatives import in_its_place
from tabletop.play.done import Done
from tabletop.play.engine import Step, play_of
from tabletop.play.workers.judge_worker import Errand
from tabletop.play.workers.player_worker import AnyPlayerWorker, promises, suggestions
from tabletop.render import mishap
from tabletop.render.battle import eligible
from tabletop.render.battle.errand import ActionErrand
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.model import LayAside, Proposal, Propose, PutAwayRefusal, Refuse, Tried, update
from tabletop.render.battle.playback import show_of
from tabletop.render.battle.told import TellingDesk
from tabletop.render.events import log_lines
from tabletop.render.events.log_lines import Line, Trace
from tabletop.render.table.desk_seen import Part
from tabletop.render.table.tools import FREE, Drag


@dataclass(kw_only=True)
class DoingDesk(TellingDesk):
    """A table on which actions are chosen, shown, proposed and done.

    ``picked`` is the kind of action chosen for the ``actor``, ``between`` are actions to choose from.
    ``suggested`` are suggestions for the actor, None while they are thought out.
    """

    aide: AnyPlayerWorker
    promised: dict[str, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    traces: tuple[Trace, ...] = ()
    _plain_of: tuple[Any, Action | None] = (None, None)

    proposal = Part[Proposal | None]("chosen")
    between = Part[tuple[Action, ...]]("chosen")
    suggested = Part[tuple[Action, ...] | None]("chosen")
    looked_at = Part[Line | None]("chosen")
    banner_away = Part[bool]("chosen")

    def __post_init__(self) -> None:
        header = self.session.header
        self.lines = log_lines.log(self.session.steps, engine.opened(header.opening, header.seed))
        self.facts = Facts(self.battle)
        self._stands()
        self.note = self.news() or self.note

    # --- choosing ----------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit on the table, or none; what was proposed is laid aside."""
        self._lay_aside()
        self.actor = name
        if self.drag is not None and name == self.selected:
            self.drag = None
            self._ask_afresh()
        if name != self.selected:
            self.action = ""  # what was chosen for another is nothing this one was told to do
        super().select(name)
        self._ask_offers()

    def call(self, name: str) -> None:
        """Turn to a unit of a list: one on the table is selected, one still to come only has its menu opened."""
        if self.battle.has(name):
            self.select(name)
            return
        self.select(None)
        self.actor = name
        self._ask_offers()

    def click(self, name: str | None) -> None:
        """Click on a unit, or on bare ground: an enemy is attacked by the unit selected if it has such actions open."""
        if self.proposal is not None:
            self.note = "First confirm the action, or go back."
            return
        if self.toggles(name) or (name is None and self.on_the_spot) or self._to_be_dragged(name):
            return
        unit = self.battle.unit(name) if name else None
        if unit is not None and self._attacks(unit):
            self.attack(unit.id)
        else:
            self.select(name)

    def _to_be_dragged(self, name: str | None) -> bool:
        """Return whether this is the unit for which a kind of move is chosen: it is taken, not selected anew."""
        return name is not None and name == self.selected and self.picked is not None and self.drag is None

    def _attacks(self, enemy: Unit) -> bool:
        mine = self.unit
        return mine is not None and self.may_act(mine) and enemy.side != mine.side and bool(self._aimed_kinds())

    def _aimed_kinds(self) -> tuple[str, ...]:
        kinds = tuple(c.kind for c in self.menu if c.open and eligible.aimed(self.battle, c.kind))
        return (self.picked,) if self.picked in kinds else kinds

    def attack(self, enemy: str) -> None:
        """Propose what the unit selected may do to an enemy; of several kinds one is chosen first."""
        unit = self.unit
        assert unit is not None
        kinds = self._aimed_kinds()
        tried = [self._against(unit, kind, enemy) for kind in kinds]
        judged = [(action, self._judged(action)) for action in tried]
        allowed = tuple(action for action, verdict in judged if verdict is not None and verdict.holds)
        others = [(verdict, self._in_its_place(action, verdict)) for action, verdict in judged]
        self._lay_aside()
        refused = next((verdict for verdict, found in others if found), None)
        if refused is not None:
            instead = (*allowed, *(action for _, found in others for action in found))
            self.chosen = update(self.chosen, Refuse(refused, instead))
            return
        if len(allowed) == 1:
            self.propose(allowed[0])
        elif allowed:
            self.between = allowed
        else:
            self.refused = next((verdict for _, verdict in judged if verdict is not None), None)

    def _in_its_place(self, action: Action, verdict: Verdict | None) -> tuple[Action, ...]:
        """Return what is offered in place of a refused action: the infantry in place of the guns it supports."""
        return in_its_place(self.battle, action, verdict) if action.target is not None else ()

    def aimed_at(self) -> tuple[str, ...]:
        """Every kind of action of the unit selected that is done to somebody."""
        return tuple(choice.kind for choice in self.menu if eligible.aimed(self.battle, choice.kind))

    def verdict_on(self, kind: str, enemy: str) -> Verdict | None:
        """Return whether the unit selected may do this to an enemy, None where it makes no sense."""
        unit = self.unit
        return None if unit is None else self._judged(self._against(unit, kind, enemy))

    def _against(self, unit: Unit, kind: str, enemy: str) -> Action:
        return Action(kind, unit.side, unit.id, enemy, frozen(self.shaped(kind)))

    def aim(self, kind: str, enemy: str) -> None:
        """Propose to do this to an enemy."""
        if self.unit is not None and self.may_act(self.unit) and self.battle.has(enemy):
            self.propose(self._against(self.unit, kind, enemy))

    def _judged(self, action: Action) -> Verdict | None:
        """Return whether an action may be done, None, with a note, where it makes no sense."""
        try:
            return engine.judge(self.battle, action)
        except TabletopError as error:
            self.note = str(error)
            return None

    def pick(self, kind: str) -> None:
        """Choose a kind of action of the menu: done or proposed at once where nothing more is to be said of it."""
        if self.acting_unit is None or kind not in {c.kind for c in self.menu if c.open}:
            return
        self._lay_aside()
        self.picked = kind
        if self.unit is not None and eligible.by_hand(self.battle, kind, self.unit):
            self.drag = None
            self.choose(kind)
            if not self._goes:
                self.take(self.unit.at)
                self._ask_move()
            return
        plain = self._plain()
        if plain is not None and self.offers == (plain,):
            self.propose(plain)

    def _plain(self) -> Action | None:
        """Return the picked action without any option, if it may be done so."""
        unit, kind = self.acting_unit, self.picked
        if unit is None or kind is None or eligible.aimed(self.battle, kind):
            return None
        action = Action(kind, unit.side, unit.id)
        try:
            return action if engine.judge(self.battle, action).holds else None
        except TabletopError:
            return None

    @property
    def offers(self) -> tuple[Action, ...]:
        """Actions to choose from: those between which a click left it open, or suggestions of the picked kind."""
        if self.between or self.picked is None:
            return self.between
        likely = [action for action in self.suggested or () if action.kind == self.picked]
        key = (self.version, self.actor, self.picked)
        if self._plain_of[0] != key:
            self._plain_of = (key, self._plain())
        plain = None if self.on_the_spot else self._plain_of[1]
        found = [*([plain] if plain is not None else []), *likely]
        return tuple(action for number, action in enumerate(found) if action not in found[:number])

    def choose_group(self, group: str) -> None:
        """Let a group act."""
        action = eligible.choosing(self.battle, group)
        if action is not None and self.human_turn:
            self.propose(action)

    # --- the hand ----------------------------------------------------------------------------------------------------

    def take(self, point: Point) -> None:
        if self.proposal is None and self.may_act(self.unit) and self.action in self.actions:
            self.refused = None
            super().take(point)
            if self.drag is not None:
                self.drag = self._in_this_way(self.drag)

    def drag_to(self, point: Point) -> None:
        if self.proposal is None:
            super().drag_to(point)

    def turn(self, notches: float, fine: bool = False) -> None:
        if self.proposal is None and self.may_act(self.unit) and self.action in self.actions:
            super().turn(notches, fine)

    def drop_waypoint(self) -> None:
        if self.proposal is None:
            super().drop_waypoint()

    def find_way(self, on: bool) -> None:
        if self.proposal is None:
            super().find_way(on)

    def release(self, anyway: bool = False) -> bool:
        """Let go: an allowed move is proposed, or done where nothing is left to chance; no rule is set aside here."""
        if self.drag is None or self.proposal is not None:
            return False
        if self._awaited:
            self.drag = replace(self.drag, let_go=False)
            return False
        self.grabbed = None
        verdict, said = self.verdict("move"), self.answers.get(("move",))
        if verdict is not None and verdict.holds:
            self.propose(self._action(self.drag))
            return True
        if self.on_the_spot and verdict is not None:
            self.drag = replace(self.drag, let_go=None)
            self.note = "It may not stand so: shape it otherwise, or let go of it with Esc."
            return False
        tried = Tried(self._action(self.drag), verdict, self.ghost) if verdict is not None else None
        self.drag = None
        self._ask_afresh()
        self.refused, self.note = verdict, said if isinstance(said, str) else ""
        self._keep(tried)
        return False

    def take_nearest(self) -> None:
        """Do as much of the refused move as is allowed, or propose it where chance has a hand in it."""
        tried, near = self.tried, self.nearest
        if tried is not None and near is not None:
            action = replace(tried.action, options=near.options)
            self._lay_aside()
            self.propose(action)

    def settle(self) -> None:
        """Propose what was picked as it is set, of a kind that neither goes anywhere nor is done to anybody."""
        unit, kind = self.acting_unit, self.picked
        if unit is not None and kind is not None and self.drag is None:
            self.propose(Action(kind, unit.side, unit.id, options=frozen(self.shaped(kind))))

    def _action(self, drag: Drag) -> Action:
        options = {key: value for key, value in self._move_options(drag).items() if key != "as"}
        plain = {key: list(value) if isinstance(value, tuple | list) else value for key, value in options.items()}
        return Action(self.action, drag.unit.side, drag.unit.id, options=frozen(plain))

    def _ask_move(self) -> None:
        if self.on_the_spot:
            self.note = ""  # what was wrong with it before is another shape's fault
        super()._ask_move()

    def _move_errand(self, drag: Drag) -> Errand:
        if self.action == FREE or not self.may_act(drag.unit):
            return super()._move_errand(drag)
        action = self._action(drag)
        return ActionErrand(("move",), "move", (drag.unit.id,), dict(action.options), rank=0, action=action)

    def cancel(self) -> None:
        """Lay aside what was proposed; then what was chosen; then let go and deselect."""
        if self.refused is not None and self.drag is None:
            self.chosen = update(self.chosen, PutAwayRefusal())
            self._forget("nearest")
        elif self.proposal is not None or self.between or (self.picked and self.drag is None):
            held = self.drag is not None
            self._lay_aside()
            self.drag, self.note = None, ""
            if held:
                self._ask_afresh()
        else:
            self.picked = None
            off_table = self.actor is not None and self.selected is None
            super().cancel()
            self.actor = None if off_table else self.selected

    def _lay_aside(self) -> None:
        self.chosen = update(self.chosen, LayAside())

    # --- doing -------------------------------------------------------------------------------------------------------

    def propose(self, action: Action) -> None:
        """Show the odds of an action; do it at once where nothing is left to chance; say why where it is not allowed.

        A shot that is certain to be wasted is asked about too.
        """
        verdict = self._judged(action)
        if verdict is None or not verdict.holds:
            self.drag = None
            self.chosen = update(self.chosen, Refuse(verdict, self._in_its_place(action, verdict)))
            return
        odds = play_of(self.battle).odds(self.battle, action)
        if odds is None or (len(odds.results) < 2 and action.target is None):
            self.do(action)
        else:
            self.chosen, self.note = update(self.chosen, Propose(Proposal(action, odds, verdict))), ""

    def confirm(self) -> None:
        """Do what was proposed."""
        if self.proposal is not None:
            self.do(self.proposal.action)

    def answer(self, choice: str) -> None:
        """Answer what is asked."""
        if (
            self.battle.pending
            and self.human_turn
            and not self.turned_over
            and choice in self.battle.pending[0].choices
        ):
            self.do(answer(self.battle.pending[0].side, choice))

    def do(self, action: Action) -> None:
        """Do an action; whatever goes wrong is said, and the battle stands as it was."""
        self.follow(Done(action))

    def follow(self, done: Done) -> None:
        """Do an action; what comes of it may have been worked out."""
        self.note = ""
        try:
            step = self.session.follow(done)
        except Illegal as error:
            self._lay_aside()
            self.drag, self.refused = None, error.verdict
        except TabletopError as error:
            self.note = str(error)
        except Exception as error:  # the game must live on: say it and keep the battle
            self._lay_aside()
            self.note = mishap.said(error)
        else:
            self._done(done.action, step)

    def _done(self, action: Action, step: Step) -> None:
        """Show what was done; a unit that has done with its action is let go of."""
        number = len(self.session.steps) - 1
        lines = list(log_lines.lines(number, self.battle, step))
        self.lines += lines
        self.stage.begin(show_of(self.battle, step, lines, own=not self.computers.plays(action.side)))
        self.traces = log_lines.traces(step)
        self.computers.shown()
        self._stands()
        if action.unit == self.actor and action.unit not in self.ready:
            self.select(None)
        self._hear_of_saving()

    def _hear_of_saving(self) -> None:
        """Say what is new of how the game is kept, and what went wrong, as soon as the last action has been saved."""
        if not self.session.saved():
            return
        self.note = self.news() or self.note
        if self.session.trouble:
            self.note = f"The game goes on, but is not kept: {self.session.trouble}"

    def news(self) -> str:
        """Return what is new of how the game is kept, as a sentence; "" when there is nothing."""
        news = self.session.news()
        return f"{news}." if news else ""

    def _stands(self) -> None:
        """Take over the battle as it stands."""
        self._lay_aside()
        self.battle = self.session.battle
        self.version += 1
        self.facts, self.promised, self.drag = Facts(self.battle), {}, None
        ends = (self.stretch.from_unit, self.stretch.to_unit) if self.stretch is not None else ()
        if any(end is not None and not self.battle.has(end) for end in ends):
            self.stretch = None  # a tape laid stays: the battle goes on under it
        if self.selected is not None and not self.battle.has(self.selected):
            self.selected = self.actor = None
        if self.actor is not None and not self._there(self.actor):
            self.actor = None
        if self.hovered is not None and not self.battle.has(self.hovered):
            self.hovered = None
        self.quick.stands(self.battle)
        self.slow.stands(self.battle)
        if self.action not in self.actions:
            self.action = self.actions[0] if self.actions else ""
        self._ask_afresh()
        self._ask_offers()
        if self.battle.pending and self.human_turn:
            self.aide.ask(("promises", self.version), promises, self.battle)

    def _there(self, name: str) -> bool:
        return self.battle.has(name) or any(u.id == name for u in self.battle.awaited)

    def _ask_offers(self) -> None:
        self.suggested = ()
        if self.actor is not None and self.menu:
            self.suggested = None
            self.aide.ask("offers", suggestions, self.battle, self.actor)
