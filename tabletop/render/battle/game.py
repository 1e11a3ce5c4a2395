"""Plays a battle: does actions, follows the computer, takes back, saves. Only the engine changes the battle."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.errors import Illegal, TabletopError
from tabletop.play import engine
from tabletop.play.done import Done
from tabletop.play.saves.autosave import free_path
from tabletop.play.session import Session
from tabletop.play.workers.player_worker import AnyPlayerWorker, promises, suggestions
from tabletop.render import error_report
from tabletop.render.battle import history, recap
from tabletop.render.battle.computers import Computers
from tabletop.render.battle.facts import Facts
from tabletop.render.battle.game_model import Record
from tabletop.render.battle.model import (
    HandOver,
    LayAside,
    LookAt,
    PutAwayBanner,
    SayRefused,
    ShowRecap,
    Suggest,
    TurnTo,
)
from tabletop.render.battle.playback import Stage, show_of
from tabletop.render.battle.store import GameStore
from tabletop.render.events import log_lines
from tabletop.render.events.log_lines import Line, Trace
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import LetGo, Note, Stand


def opened(session: Session) -> Record:
    """Return the record of the battle so far."""
    header = session.known_header
    lines = log_lines.log(session.known_steps, engine.opened(header.opening, header.seed))
    return Record(header, tuple(session.known_steps), tuple(lines))


@dataclass
class Game:
    """A battle being played, its computers, and the playback of its last action."""

    store: GameStore
    controller: TableController
    session: Session
    computers: Computers
    player_worker: AnyPlayerWorker
    stage: Stage = field(default_factory=Stage)
    #: Whether a group is chosen automatically when it is the only one that may be chosen.
    chooses_only_group: bool = True

    @property
    def battle(self) -> Battle:
        """The battle as the person at the screen may know it."""
        return self.session.known

    @property
    def shown_lines(self) -> tuple[Line, ...]:
        """The log up to the action being played back, so that results are not given away before they are seen."""
        lines = self.store.model.record.lines
        if not self.stage.running:
            return lines
        last = len(self.session.steps) - 1
        return tuple(line for line in lines if line.n < last)

    def show_note(self, text: str) -> None:
        """Show a text in the status line."""
        self.controller.update(Note(text))

    # --- time --------------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Take in the answers of the players' worker and news of saving; call it once a frame."""
        self._hear_of_saving()
        for key, result in self.player_worker.take():
            if key == "think":
                self.computers.thought(result)
                if self.computers.trouble:
                    self.show_note(self.computers.trouble)
            elif isinstance(result, Exception):
                self.store.update(Suggest(self.store.model.chosen.suggested or ()))
            elif key == "offers":
                self.store.update(Suggest(result))
            elif key == ("promises", self.store.model.record.version):
                self.store.promise(result)

    def tick(self, seconds: float) -> None:
        """Continue the playback; let the computer's sides act when they are due."""
        self.stage.tick(seconds)
        if self.stage.running:
            return
        done = self.computers.act(self.session, seconds)
        if done is not None:
            self.follow(done)
        elif self.chooses_only_group and self.store.model.facts.human_turn and not self.session.saving:
            only = self.store.model.facts.only_group
            if only is not None:
                self.do(only)

    # --- doing -------------------------------------------------------------------------------------------------------

    def answer(self, choice: str) -> None:
        """Answer the open question."""
        model, pending = self.store.model, self.store.model.table.battle.pending
        if pending and model.facts.human_turn and not model.turned_over and choice in pending[0].choices:
            self.do(answer(pending[0].side, choice))

    def hand_over(self) -> None:
        """Confirm that the player who is asked now sits at the screen."""
        self.store.update(HandOver(self.store.model.record.version))

    def put_away_banner(self) -> None:
        """Close the banner over an ended battle to show the table."""
        self.store.update(PutAwayBanner())

    def do(self, action: Action) -> None:
        """Do an action; report anything that goes wrong and leave the battle as it was."""
        self.follow(Done(action))

    def follow(self, done: Done) -> None:
        """Do an action whose result may already have been worked out."""
        self.show_note("")
        try:
            self.session.follow(done)
        except Illegal as error:
            self.store.update(LayAside())
            self.controller.update(LetGo())
            self.store.update(SayRefused(error.verdict, self.store.model.chosen.last_refused))
        except TabletopError as error:
            self.show_note(str(error))
        except Exception as error:  # the game must go on: report the error and keep the battle
            self.store.update(LayAside())
            self.show_note(error_report.report_error(error))
        else:
            self._done(done.action)

    def _done(self, action: Action) -> None:
        """Show what was done; let go of a unit that has finished its action."""
        steps = self.session.known_steps
        number, before, step = len(steps) - 1, steps[-2].battle, steps[-1]
        lines = list(log_lines.lines(number, before, step))
        self.stage.begin(show_of(before, step, lines, own=not self.computers.plays(action.side)))
        self.computers.shown()
        self.stand((*self.store.model.record.lines, *lines), tuple(log_lines.traces(step)))
        self._turn_on(action)
        self._hear_of_saving()

    def _turn_on(self, action: Action) -> None:
        """After a group was chosen or a unit has finished, turn to the next unit that may act, or to none."""
        facts, actor = self.store.model.facts, self.store.model.chosen.actor
        done = action.unit is not None and action.unit == actor and actor not in facts.ready
        if not done and "group" not in action.options:
            return
        name = facts.next_ready(action.unit) if facts.human_turn and not facts.groups else None
        self.turn_to(name)

    def turn_to(self, name: str | None) -> None:
        """Turn to a unit: select it if it is on the table, else only open its menu."""
        on_table = name is not None and self.store.model.table.battle.has(name)
        self.controller.select(name if on_table else None)
        if name is not None and not on_table:
            self.store.update(TurnTo(name))
            self.ask_offers()

    def _hear_of_saving(self) -> None:
        """Once the last action has been saved, report news or trouble about the game's file."""
        if not self.session.saved():
            return
        self.show_note(self.news() or self.store.model.table.note)
        if self.session.trouble:
            self.show_note(f"The game goes on, but is not kept: {self.session.trouble}")

    def news(self) -> str:
        """Return news about the game's file as a sentence; "" if there is none."""
        news = self.session.news()
        return f"{news}." if news else ""

    def stand(self, lines: tuple[Line, ...], traces: tuple[Trace, ...]) -> None:
        """Take over the battle as it stands, with its log and the paths just taken."""
        self.store.update(LayAside())
        self.store.update(ShowRecap(None))
        battle, version = self.session.known, self.store.model.record.version + 1
        record = Record(self.session.known_header, tuple(self.session.known_steps), lines, traces, version)
        was_selected = self.store.model.table.selected
        self.controller.update(Stand(battle))
        self.store.stand(Facts(battle, self.computers.sides), record)
        actor = self.store.model.chosen.actor
        if was_selected is not None and not battle.has(was_selected):
            actor = None
        if actor is not None and not _there(battle, actor):
            actor = None
        self.store.update(TurnTo(actor))
        self.controller.judge.stands(battle)
        self.controller.keep_action()
        self.controller.judge.ask_afresh()
        self.ask_offers()
        if battle.pending and self.store.model.facts.human_turn:
            self.player_worker.ask(("promises", version), promises, battle)

    def ask_offers(self) -> None:
        """Ask the worker for sensible actions of the actor."""
        self.store.update(Suggest(()))
        model = self.store.model
        if model.chosen.actor is not None and model.menu:
            self.store.update(Suggest(None))
            self.player_worker.ask("offers", suggestions, model.table.battle, model.chosen.actor)

    # --- undo and saving ---------------------------------------------------------------------------------------------

    def take_back(self) -> None:
        """Take back a person's last action and what computers did since, unless dice have been thrown since."""
        why = history.taken_back(self.session, self.computers)
        if why is None:
            self.changed()
        else:
            self.show_note(f"That stays: {why}.")

    def redo(self) -> None:
        """Redo what was taken back, up to the next decision of a person."""
        if history.done_again(self.session, self.computers):
            self.changed()
        else:
            self.show_note("There is nothing to do again.")

    def take_over(self, session: Session) -> None:
        """Continue with another session, such as the same lesson started over."""
        self.session = session
        self.show_note("")
        self.store.update(PutAwayBanner(False))
        self.computers.forget()
        self.stage.begin(None)
        self.stand(opened(session).lines, ())

    def changed(self) -> None:
        """Take over changes made to the session outside this window."""
        lines = [line for line in self.store.model.record.lines if line.n < len(self.session.steps)]
        header, start = self.session.known_header, lines[-1].n + 1 if lines else 0
        lines += log_lines.log(self.session.known_steps, engine.opened(header.opening, header.seed), start)
        self.show_note("")
        self.store.update(PutAwayBanner(False))
        self.computers.forget()
        self.stage.begin(None)
        self.stand(tuple(lines), ())

    def save(self) -> None:
        """Write the game to its file, or to a new one in the folder of saved games."""
        try:
            path = self.session.path or free_path(self.battle.title)
            self.session.save_as(Path(path))
            path = self.session.path or path
            self.show_note(f"The game is kept in {Path(path).name}, in {Path(path).parent}.")
        except TabletopError as error:
            self.show_note(str(error))

    # --- the log -----------------------------------------------------------------------------------------------------

    def turn_recap(self) -> None:
        """Show the recap of the computer's last moves, or hide it."""
        self.store.update(ShowRecap(not recap.shown(self.store.model)))

    def look_at(self, number: int) -> None:
        """Show where the event of a log line happened."""
        lines = self.store.model.record.lines
        if 0 <= number < len(lines):
            self.store.update(LookAt(lines[number]))


def _there(battle: Battle, name: str) -> bool:
    return battle.has(name) or any(u.id == name for u in battle.awaited)
