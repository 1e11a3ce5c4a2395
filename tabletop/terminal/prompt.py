"""The prompt: one line in, what it did out; the computer's sides play by themselves in between.

Commands come first, then suggestions by number, then actions; whatever is wrong is one clear line and changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.errors import BadQuestion, Illegal, TabletopError
from tabletop.geometry.verdict import Verdict
from tabletop.play import engine
from tabletop.play.engine import mover, play_of
from tabletop.play.files.nearest_words import clip
from tabletop.play.instead import in_its_place
from tabletop.play.players import Player
from tabletop.play.session import Session
from tabletop.play.ways import as_far_as_it_may
from tabletop.rules.play import Odds
from tabletop.terminal import chances, record, views
from tabletop.terminal.layout import paragraph
from tabletop.terminal.names import find_unit, is_unit
from tabletop.terminal.reading import read_action, verbs

#: Of which actions the odds are shown and a yes is asked for: all left to chance, those against somebody, none.
ALL, FIGHTS, OFF = CONFIRM = ("all", "fights", "off")
YES, NO = ("yes", "y", "ok", "do"), ("no", "n", "cancel")
#: Characters of a line that are looked at; nobody types more.
LONGEST = 2_000


@dataclass
class Prompt:
    """A battle at the prompt. ``say`` prints; ``commands`` are the words that look about
    (``terminal.commands``); ``players`` play their sides by themselves, people's have none.

    ``waiting`` is an action whose odds were shown and that a yes would do; ``offered`` are those a number takes;
    ``last`` is the action asked for last, and ``refused`` why it could not be done.
    """

    session: Session
    players: Mapping[str, Player]
    say: Callable[[str], None]
    commands: Mapping[str, Callable[[Prompt, str], None]]
    confirm: str = FIGHTS
    offered: list[Action] = field(default_factory=list)
    waiting: Action | None = None
    last: Action | None = None
    refused: Verdict | None = None
    shown: int = 0

    @property
    def battle(self) -> Battle:
        return self.session.battle

    @property
    def mark(self) -> str:
        """What stands before the line being typed."""
        return "yes or no> " if self.waiting is not None else views.mark(self.battle)

    def open(self) -> None:
        """Say how things stand as the battle begins, or goes on."""
        self.tell_news()
        if len(self.session.steps) == 1:
            self.tell_steps()
        self.shown = len(self.session.steps)
        self.let_computers_play()
        self.say(views.situation(self.battle) if not self.battle.over else views.ending(self.battle))

    def line(self, text: str) -> bool:
        """Do what a line says; False when the player leaves."""
        text = " ".join("".join(c if c.isprintable() else " " for c in text[:LONGEST]).split())
        if not text:
            return True
        try:
            return self._do(text)
        except Illegal as error:
            self._explain(error.verdict)
        except TabletopError as error:
            self.say(paragraph(str(error).replace("--", "")))  # options have no dashes here
        except Exception as error:
            if os.environ.get("TABLETOP_DEBUG"):
                raise
            what = clip(f"{type(error).__name__}: {error}", 200)
            self.say(paragraph(f"that hit a defect of the program, please report it ({what}); nothing has changed"))
        return True

    def _do(self, text: str) -> bool:
        word, _, rest = text.partition(" ")
        word = word.lower()
        if word in ("quit", "exit"):
            return False
        choice = self.choice(text) if self.battle.pending else None
        if choice is None and self._settled(text.lower()):
            return True
        if choice is not None:
            self.submit(answer(self.battle.pending[0].side, choice))
        elif word.isascii() and word.isdigit():
            self.request(self.numbered(text))
        elif word in self.commands and not (
            rest and word in play_of(self.battle).kinds and is_unit(self.battle, rest.split()[0])
        ):
            self.commands[word](self, rest)
        elif is_unit(self.battle, text) and not verbs(self.battle, word):
            self.say(views.menu(self.battle, find_unit(self.battle, text, mover(self.battle))))
        else:
            now = text.endswith("!")
            self.request(self.read(text.rstrip("! ")), at_once=now)
        return True

    def _settled(self, text: str) -> bool:
        """Take a yes or a no to the action that waits; looking about meanwhile is free."""
        if text not in (*YES, *NO):
            return False
        action, self.waiting = self.waiting, None
        if action is None:
            raise BadQuestion("nothing waits for a yes or a no; type an action first ('help')")
        if text in YES:
            self.submit(action)
        else:
            self.say("Not done.")
        return True

    def choice(self, text: str) -> str | None:
        """Return the pending decision's choice that the text means, None for none."""
        typed = text.lower().removeprefix("answer ").strip()
        choices = self.battle.pending[0].choices
        if typed in choices:
            return typed
        near = [choice for choice in choices if choice.lower().startswith(typed)]
        return near[0] if len(near) == 1 and typed not in self.commands else None

    def read(self, text: str) -> Action:
        """Return the action a line asks for."""
        side = mover(self.battle)
        if side is None:
            raise BadQuestion("the battle is over: 'report' tells it, 'quit' leaves")
        if self.battle.pending:
            raise BadQuestion(f"first answer: {' / '.join(self.battle.pending[0].choices)}")
        return read_action(self.battle, side, text)

    def numbered(self, text: str) -> Action:
        """Return the action offered under a number."""
        if not text.isdigit() or len(text) > 4 or not 1 <= int(text) <= len(self.offered):
            what = f"there are 1 to {len(self.offered)}" if self.offered else "'hint' lists what there is"
            raise BadQuestion(f"no suggestion '{clip(text)}'; {what}")
        return self.offered[int(text) - 1]

    # --- doing -------------------------------------------------------------------------------------------------------

    def request(self, action: Action, at_once: bool = False) -> None:
        """Do an action; where it is left to chance show its odds first, and ask before a fight."""
        self.last, self.waiting = action, None
        found = None if action.kind == "answer" or self.confirm == OFF else self._odds(action)
        if found is None or at_once:
            self.submit(action)
        elif self.confirm == ALL or action.target is not None:
            self.say(paragraph(views.phrase(self.battle, action)))
            self.say(chances.brief(found))
            self.waiting = action
            self.say("Do it?  yes / no   ('odds' says where the figures come from)")
        else:
            self.say(paragraph(f"({chances.one_line(found)})"))
            self.submit(action)

    def _odds(self, action: Action) -> Odds | None:
        """Return the odds of an allowed action, None where nothing is left to chance; Illegal if it is not allowed.

        A shot that is certain to be wasted is shown with its one result: better asked twice than fired so.
        """
        verdict = engine.judge(self.battle, action)
        if not verdict.holds:
            raise Illegal(f"{action.kind} is not allowed", verdict)
        found = play_of(self.battle).odds(self.battle, action)
        return found if found is not None and (len(found.results) > 1 or action.target is not None) else None

    def submit(self, action: Action) -> None:
        """Do an action, tell what came of it, let the computer's sides answer it, and say what is wanted next."""
        self.act(action)
        self.let_computers_play()
        self.say_next(action)

    def act(self, action: Action) -> None:
        """Do an action and tell what came of it."""
        self.last, self.waiting = action, None
        self.session.do(action)
        self.offered, self.refused = [], None
        self.tell_news()
        if self.session.trouble:
            self.say(paragraph(f"The game goes on, but is not kept: {self.session.trouble}"))
        self.tell_steps()

    def tell_news(self) -> None:
        """Tell what is new of how the game is kept."""
        if news := self.session.news():
            self.say(paragraph(f"{news}."))

    def say_next(self, action: Action) -> None:
        """Say what is wanted next: of a unit halfway through its action, else of the side."""
        halfway = self._halfway(action)
        self.say(halfway or views.next_step(self.battle))

    def _halfway(self, action: Action) -> str | None:
        """Return what a unit that has done something may still do; None when it has done with its action."""
        battle, unit = self.battle, action.unit
        if battle.over or battle.pending or unit is None or not battle.has(unit) or mover(battle) != action.side:
            return None
        if battle.clock.group is None or all(u.id != unit for u in play_of(battle).members(battle, battle.clock.group)):
            return None
        open_now = [choice.kind for choice in play_of(battle).menu(battle, unit) if choice.open]
        return paragraph(f"{battle.unit(unit).called} may still: {', '.join(open_now)}.") if open_now else None

    def tell_steps(self) -> None:
        """Say what happened in the steps not told yet."""
        for before, step in record.with_before(self.session.steps, self.shown):
            for sentence in record.told(before, step):
                self.say(sentence)
        self.shown = len(self.session.steps)

    def let_computers_play(self) -> None:
        """Let the computer's sides act as long as it is for them to act."""
        while (side := mover(self.battle)) is not None and side in self.players:
            chosen = self.players[side].choose(self.battle)
            self.say(self.announced(chosen.action, chosen.why))
            self.act(chosen.action)

    def announced(self, action: Action, why: str) -> str:
        """Return what a computer player is about to do, and why."""
        return paragraph(
            f"{side_name(action.side)}: {views.phrase(self.battle, action)}" + (f"  [{why}]" if why else "")
        )

    # --- refusals ----------------------------------------------------------------------------------------------------

    def _explain(self, verdict: Verdict) -> None:
        """Say why an action may not be done, and how far it could go where it only goes too far."""
        self.refused, self.offered = verdict, []
        self.say(views.reasons(verdict))
        action = self.last
        if action is None or action.unit is None or self.battle.over or self.battle.pending:
            return
        if (first := self._chosen_first(action.unit)) is not None:
            self.offered = [first]
            self.say(paragraph(f"First (type 1): {views.phrase(self.battle, first)}"))
            return
        if self._offer_in_its_place(action, verdict) or not {"path", "to"} & set(action.options):
            return
        shorter = as_far_as_it_may(self.battle, action)
        if shorter is not None:
            self.offered = [shorter]
            self.say(paragraph(f"As far as it may go that way (type 1): {views.phrase(self.battle, shorter)}"))

    def _offer_in_its_place(self, action: Action, verdict: Verdict) -> bool:
        """Offer what may be done in place of a refused action; return whether there is anything (TSE-ASL-40)."""
        self.offered = list(in_its_place(self.battle, action, verdict))
        for number, other in enumerate(self.offered):
            self.say(paragraph(f"Instead (type {number + 1}): {views.phrase(self.battle, other)}"))
        return bool(self.offered)

    def _chosen_first(self, unit: str) -> Action | None:
        """Return the choice by which a unit's group would come to act, where that is what is wanting."""
        play, battle = play_of(self.battle), self.battle
        group = next((g for g in play.groups(battle) if any(u.id == unit for u in play.members(battle, g))), None)
        kind = next((kind.name for kind in play.kinds.values() if "group" in kind.needs), None)
        side = mover(battle)
        return None if group is None or kind is None or side is None else Action(kind, side, options={"group": group})
