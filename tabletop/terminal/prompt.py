"""The prompt: one line in, what it did out; the computer's sides play by themselves in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion, Illegal, TabletopError
from tabletop.explain import explain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import judge as judge_question
from tabletop.play import engine
from tabletop.play.engine import Step, mover, play_of
from tabletop.play.players import Player
from tabletop.play.session import Session
from tabletop.play.telling import sentences
from tabletop.play.words import clip, did_you_mean
from tabletop.rules import rule_set
from tabletop.terminal import views
from tabletop.terminal.chart import chart
from tabletop.terminal.names import find_unit
from tabletop.terminal.reading import read_action

#: Suggestions shown at a time.
MOST_SUGGESTED = 15

HELP = """\
Whose move it is stands over the prompt. Names may be shortened.
  choose DIVISION          take the initiative with it      who          the situation
  KIND UNIT [TARGET] ...   an action, such as:              menu UNIT    what it may do, and why not
     maneuver kempt forward 4                               hint         sensible actions, by number
     maneuver kempt to 30,20 facing 180                     3            do number 3 of them
     deploy kempt toward foy     assault foy kempt          odds ...     what an action may bring, exactly
     fire lloyd foy              regroup kempt              why ...      why it may not be done
     hold kempt                  finish                     map          the table in letters
  first, second, yes, no ... answer what is asked           card UNIT    a unit's state
  ask QUESTION UNIT [UNIT]   put a question to the judge    log          what happened so far
  undo  redo  save FILE  report  quit                       auto         let the computer do this one\
"""


@dataclass
class Prompt:
    """A battle at the prompt. ``say`` prints; ``players`` play their sides by themselves, people's have none."""

    session: Session
    players: Mapping[str, Player]
    say: Callable[[str], None]
    _last: Action | None = None
    _refused: Verdict | None = None
    _offered: list[Action] = field(default_factory=list)
    _shown: int = 0

    @property
    def battle(self) -> Battle:
        return self.session.battle

    def open(self) -> None:
        """Say how things stand as the battle begins."""
        self._tell_steps()
        self._let_computers_play()
        self.say(views.situation(self.battle))

    def line(self, text: str) -> bool:
        """Do what a line says; False when the player leaves. Whatever is wrong with it is one clear line."""
        words = text.split()
        if not words:
            return True
        try:
            return self._do(words[0].lower(), text.strip())
        except Illegal as error:
            self._refused = error.verdict
            self.say(views.reasons(error.verdict))
        except TabletopError as error:
            self.say(str(error))
        return True

    # --- commands ---

    def _do(self, word: str, text: str) -> bool:
        if word in ("quit", "exit"):
            return False
        rest = text.split(None, 1)[1] if " " in text else ""
        if self.battle.pending and (choice := self._choice(text)):
            self._submit(answer(self.battle.pending[0].side, choice))
        elif word.isdigit():
            self._submit(self._numbered(int(word)))
        elif word in _COMMANDS:
            _COMMANDS[word](self, rest)
        else:
            self._submit(self._read(text))
        return True

    def _choice(self, text: str) -> str | None:
        """Return the pending decision's choice that the text means, None for none."""
        typed = text.lower().removeprefix("answer ").strip()
        choices = self.battle.pending[0].choices
        if typed in choices:
            return typed
        near = [choice for choice in choices if choice.lower().startswith(typed)]
        return near[0] if len(near) == 1 and typed not in _COMMANDS else None

    def _read(self, text: str) -> Action:
        side = mover(self.battle)
        if side is None:
            raise BadQuestion("the battle is over; 'report' tells it, 'quit' leaves")
        return read_action(self.battle, side, text)

    def _numbered(self, number: int) -> Action:
        if not 1 <= number <= len(self._offered):
            raise BadQuestion(f"no suggestion {number}; 'hint' lists what there is")
        return self._offered[number - 1]

    def _submit(self, action: Action) -> None:
        self._last = action
        self.session.do(action)
        self._offered, self._refused = [], None
        if self.session.trouble:
            self.say(f"The game goes on, but is not kept: {self.session.trouble}")
        self._tell_steps()
        self._let_computers_play()
        self.say(views.situation(self.battle) if not self.battle.over else self._ending())

    def _tell_steps(self) -> None:
        """Say what happened in the steps not told yet."""
        steps = self.session.steps
        for before, step in _pairs(steps, self._shown):
            for sentence in sentences(before, step.events):
                self.say(sentence)
        self._shown = len(steps)

    def _let_computers_play(self) -> None:
        while (side := mover(self.battle)) is not None and side in self.players:
            chosen = self.players[side].choose(self.battle)
            self.say(f"{side}: {views.phrase(self.battle, chosen.action)}" + (f" - {chosen.why}" if chosen.why else ""))
            self.session.do(chosen.action)
            self._tell_steps()

    def _ending(self) -> str:
        outcome = self.battle.outcome
        assert outcome is not None, "only an ended battle has an ending"
        return f"The battle is over: {outcome.winner or 'nobody'} wins; {outcome.how}."

    # --- the commands' own ---

    def help(self, rest: str) -> None:
        self.say(HELP)

    def who(self, rest: str) -> None:
        self.say(views.situation(self.battle))

    def menu(self, rest: str) -> None:
        self.say(views.menu(self.battle, find_unit(self.battle, _needed(rest, "menu UNIT"))))

    def card(self, rest: str) -> None:
        self.say(views.card(self.battle, find_unit(self.battle, _needed(rest, "card UNIT"))))

    def map(self, rest: str) -> None:
        self.say(chart(self.battle))

    def hint(self, rest: str) -> None:
        found = islice(self._suggested(rest), MOST_SUGGESTED)
        self._offered = list(found)
        self.say(views.suggestions(self.battle, self._offered))

    def _suggested(self, rest: str) -> Iterator[Action]:
        unit = find_unit(self.battle, rest).id if rest else None
        if self.battle.pending:
            yield from (answer(self.battle.pending[0].side, choice) for choice in self.battle.pending[0].choices)
            return
        for action in play_of(self.battle).suggest(self.battle):
            if unit is None or action.unit == unit:
                yield action

    def odds(self, rest: str) -> None:
        action = self._asked_about(rest, "odds")
        verdict = engine.judge(self.battle, action)
        if not verdict.holds:
            self.say(views.reasons(verdict))
            return
        self.say(views.odds(play_of(self.battle).odds(self.battle, action)))

    def why(self, rest: str) -> None:
        typed = _plea(rest)
        if not typed and self._refused is not None:
            self.say(views.reasons(self._refused))
            return
        self.say(views.reasons(engine.judge(self.battle, self._asked_about(typed, "why"))))

    def _asked_about(self, rest: str, command: str) -> Action:
        if rest:
            return self._numbered(int(rest)) if rest.isdigit() else self._read(rest)
        if self._last is None:
            raise BadQuestion(f"of which action? type it after: '{command} assault foy kempt'")
        return self._last

    def ask(self, rest: str) -> None:
        words = _needed(rest, "ask QUESTION UNIT [UNIT]").split()
        questions = rule_set.find(self.battle.rules).questions
        if words[0] not in questions:
            raise BadQuestion(f"no question '{clip(words[0])}'; {did_you_mean(words[0], list(questions))}")
        units = [find_unit(self.battle, word).id for word in words[1:]]
        self.say(explain(judge_question(self.battle, words[0], units, {"margin": False}), self.battle))

    def log(self, rest: str) -> None:
        for before, step in _pairs(self.session.steps, 0):
            for sentence in sentences(before, step.events):
                self.say(sentence)

    def undo(self, rest: str) -> None:
        self.session.undo()
        self._shown = len(self.session.steps)
        self.say("Taken back. " + views.header(self.battle))

    def redo(self, rest: str) -> None:
        self.session.redo()
        self._tell_steps()
        self.say(views.header(self.battle))

    def save(self, rest: str) -> None:
        path = Path(_needed(rest, "save FILE"))
        self.session.save_as(path)
        self.say(f"Saved in {path}.")

    def report(self, rest: str) -> None:
        self.log(rest)
        if self.battle.over:
            self.say(self._ending())

    def auto(self, rest: str) -> None:
        from tabletop.play.players import player_kind

        make = player_kind(rest or "greedy").make
        if make is None:
            raise BadQuestion("that is yourself; 'auto greedy' or 'auto random'")
        chosen = make(self.battle.throws).choose(self.battle)
        self.say(f"{views.phrase(self.battle, chosen.action)}" + (f" - {chosen.why}" if chosen.why else ""))
        self._submit(chosen.action)


def _pairs(steps: list[Step], start: int) -> Iterator[tuple[Battle, Step]]:
    """Yield every step from ``start`` with the battle before it (the beginning has only the one after)."""
    for number in range(start, len(steps)):
        yield steps[number - 1].battle if number else steps[0].battle, steps[number]


def _needed(rest: str, usage: str) -> str:
    if not rest:
        raise BadQuestion(f"type: {usage}")
    return rest


def _plea(rest: str) -> str:
    """Return the action in a question such as "can't I assault foy kempt?"; "" for a bare "can't I?"."""
    words = [word.strip("?") for word in rest.split()]
    kept = [word for word in words if word.lower() not in ("can't", "cant", "cannot", "can", "not", "i", "")]
    return " ".join(kept)


_COMMANDS: dict[str, Callable[[Prompt, str], None]] = {
    "help": Prompt.help,
    "?": Prompt.help,
    "who": Prompt.who,
    "status": Prompt.who,
    "menu": Prompt.menu,
    "what": Prompt.menu,
    "card": Prompt.card,
    "show": Prompt.card,
    "map": Prompt.map,
    "hint": Prompt.hint,
    "suggest": Prompt.hint,
    "odds": Prompt.odds,
    "why": Prompt.why,
    "ask": Prompt.ask,
    "log": Prompt.log,
    "undo": Prompt.undo,
    "redo": Prompt.redo,
    "save": Prompt.save,
    "report": Prompt.report,
    "auto": Prompt.auto,
}
