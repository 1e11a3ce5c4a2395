"""The prompt: it does what a line says and prints the result; computer players act in between.

A line is read as a command, else as the number of a suggestion, else as an action. An error is one clear line and
changes nothing.
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
from tabletop.play.alternatives import in_its_place
from tabletop.play.engine import mover, play_of
from tabletop.play.files.nearest_words import clip
from tabletop.play.given_dice import BadThrow
from tabletop.play.players import Player
from tabletop.play.routes import as_far_as_it_may
from tabletop.play.session import Session
from tabletop.play.thought import Thought
from tabletop.play.typed.names import find_unit, is_unit
from tabletop.play.typed.reading import read_action, verbs
from tabletop.rules.play import Odds
from tabletop.terminal import chances, record, views
from tabletop.terminal.layout import paragraph

#: Which actions need a yes after their odds are shown: all with odds, those against an enemy, none.
ALL, FIGHTS, OFF = CONFIRM = ("all", "fights", "off")
YES, NO = ("yes", "y", "ok", "do"), ("no", "n", "cancel")
#: Maximum characters of a line that are read.
LONGEST = 2_000


@dataclass
class Prompt:
    """A battle at the prompt. ``write`` prints; ``commands`` are the words that are not actions
    (``terminal.commands``); ``players`` are the computer players by side, without the sides of people.

    ``waiting`` is an action whose odds were shown and that waits for a yes; ``offered`` are the suggestions that can be
    chosen by number; ``last`` is the last action requested, and ``refused`` the verdict against it.
    """

    session: Session
    players: Mapping[str, Player]
    write: Callable[[str], None]
    commands: Mapping[str, Callable[[Prompt, str], None]]
    confirm: str = FIGHTS
    offered: list[Action] = field(default_factory=list)
    waiting: Action | None = None
    last: Action | None = None
    refused: Verdict | None = None
    shown: int = 0

    @property
    def battle(self) -> Battle:
        """The battle as the person at the prompt may know it."""
        return self.session.known

    @property
    def mark(self) -> str:
        """The text before the line being typed."""
        return "yes or no> " if self.waiting is not None else views.mark(self.battle)

    def open(self) -> None:
        """Print the situation when the battle begins or is continued."""
        self.write_news()
        if len(self.session.steps) == 1:
            self.write_steps()
        self.shown = len(self.session.steps)
        self.let_computers_play()
        self.write(views.situation(self.battle) if not self.battle.over else views.ending(self.battle))

    def line(self, text: str) -> bool:
        """Do what a line says; False when the player leaves."""
        text = " ".join("".join(c if c.isprintable() else " " for c in text[:LONGEST]).split())
        if not text:
            return True
        try:
            return self._do(text)
        except Illegal as error:
            self._explain(error.verdict)
        except BadThrow as error:
            again = f"{error}; type 'dice {error.anew}' with what was thrown for N, then the action again"
            self.write(paragraph(again))
        except TabletopError as error:
            self.write(paragraph(str(error).replace("--", "")))  # options have no dashes here
        except Exception as error:
            if os.environ.get("TABLETOP_DEBUG"):
                raise
            what = clip(f"{type(error).__name__}: {error}", 200)
            self.write(paragraph(f"that hit a defect of the program, please report it ({what}); nothing has changed"))
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
            self.write(views.menu(self.battle, find_unit(self.battle, text, mover(self.battle))))
        else:
            now = text.endswith("!")
            self.request(self.read(text.rstrip("! ")), at_once=now)
        return True

    def _settled(self, text: str) -> bool:
        """Take a yes or no for the action that waits; return False for any other text."""
        if text not in (*YES, *NO):
            return False
        action, self.waiting = self.waiting, None
        if action is None:
            raise BadQuestion("nothing waits for a yes or a no; type an action first ('help')")
        if text in YES:
            self.submit(action)
        else:
            self.write("Not done.")
        return True

    def choice(self, text: str) -> str | None:
        """Return the choice of the pending decision that the text means, None if it means none."""
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
        """Do an action; if it has odds, show them first, and before a fight ask for a yes (see ``confirm``)."""
        self.last, self.waiting = action, None
        odds = None if action.kind == "answer" or self.confirm == OFF else self._odds(action)
        if odds is None or at_once:
            self.submit(action)
        elif self.confirm == ALL or action.target is not None:
            self.write(paragraph(views.phrase(self.battle, action)))
            self.write(chances.brief(odds))
            self.waiting = action
            self.write("Do it?  yes / no   ('odds' says where the figures come from)")
        else:
            self.write(paragraph(f"({chances.one_line(odds)})"))
            self.submit(action)

    def _odds(self, action: Action) -> Odds | None:
        """Return the odds of an allowed action, None if nothing is left to chance; Illegal if it is not allowed.

        A shot at an enemy with only one result has odds too, so that one certain to be wasted needs a yes.
        """
        verdict = engine.judge(self.battle, action)
        if not verdict.holds:
            raise Illegal(f"{action.kind} is not allowed", verdict)
        odds = play_of(self.battle).odds(self.battle, action)
        return odds if odds is not None and (len(odds.results) > 1 or action.target is not None) else None

    def submit(self, action: Action) -> None:
        """Do an action, print its consequences, let computer players act, and print what to do next."""
        self.act(action)
        self.let_computers_play()
        self.write_next(action)

    def act(self, action: Action, thought: Thought | None = None) -> None:
        """Do an action and print its consequences; ``thought`` is a computer player's reasoning."""
        self.last, self.waiting = action, None
        self.session.do(action, thought)
        self.offered, self.refused = [], None
        self.write_news()
        if self.session.trouble:
            self.write(paragraph(f"The game goes on, but is not kept: {self.session.trouble}"))
        self.write_steps()

    def write_news(self) -> None:
        """Print any news of how the game is saved."""
        if news := self.session.news():
            self.write(paragraph(f"{news}."))

    def write_next(self, action: Action) -> None:
        """Print what to do next: with a unit halfway through its action, else with the side."""
        halfway = self._halfway(action)
        self.write(halfway or views.next_step(self.battle))

    def _halfway(self, action: Action) -> str | None:
        """Return what a unit that has acted may still do; None if it may do nothing more."""
        battle, unit = self.battle, action.unit
        if battle.over or battle.pending or unit is None or not battle.has(unit) or mover(battle) != action.side:
            return None
        if battle.clock.group is None or all(u.id != unit for u in play_of(battle).members(battle, battle.clock.group)):
            return None
        open_now = [choice.kind for choice in play_of(battle).menu(battle, unit) if choice.open]
        return paragraph(f"{battle.unit(unit).called} may still: {', '.join(open_now)}.") if open_now else None

    def write_steps(self) -> None:
        """Print what happened in the steps not shown yet."""
        for before, step in record.with_before(self.session.known_steps, self.shown):
            for sentence in record.paragraphs(before, step):
                self.write(sentence)
        self.shown = len(self.session.steps)

    def let_computers_play(self) -> None:
        """Let computer players act until a person must act or the battle is over."""
        while (side := mover(self.battle)) is not None and side in self.players:
            chosen = self.players[side].choose(self.session.battle)
            if not self.session.conceals(chosen.action):
                self.write(self.announced(chosen.action, chosen.why))
            self.act(chosen.action, chosen.thought)

    def announced(self, action: Action, why: str) -> str:
        """Return what a computer player is about to do, and why."""
        return paragraph(
            f"{side_name(action.side)}: {views.phrase(self.battle, action)}" + (f"  [{why}]" if why else "")
        )

    # --- refusals ----------------------------------------------------------------------------------------------------

    def _explain(self, verdict: Verdict) -> None:
        """Print why an action is not allowed, and offer possible actions instead, if any are found."""
        self.refused, self.offered = verdict, []
        action = self.last
        if action is not None and self._hindered(action):
            self.refused = None
            self.write("It may not be done: something that is not known of prevents it.")
            return
        self.write(views.reasons(self.battle, verdict))
        if action is None or action.unit is None or self.battle.over or self.battle.pending:
            return
        if (first := self._chosen_first(action.unit)) is not None:
            self.offered = [first]
            self.write(paragraph(f"First (type 1): {views.phrase(self.battle, first)}"))
            return
        if self._offer_in_its_place(action, verdict) or not {"path", "to"} & set(action.options):
            return
        shorter = as_far_as_it_may(self.battle, action)
        if shorter is not None:
            self.offered = [shorter]
            self.write(paragraph(f"As far as it may go that way (type 1): {views.phrase(self.battle, shorter)}"))

    def _hindered(self, action: Action) -> bool:
        """Return whether an action is allowed by all that is known, so that the reasons against it are not."""
        return self.battle is not self.session.battle and engine.judge(self.battle, action).holds

    def _offer_in_its_place(self, action: Action, verdict: Verdict) -> bool:
        """Offer allowed actions in place of a refused one; return whether there are any (TSE-ASL-40)."""
        self.offered = list(in_its_place(self.battle, action, verdict))
        for number, alternative in enumerate(self.offered):
            self.write(paragraph(f"Instead (type {number + 1}): {views.phrase(self.battle, alternative)}"))
        return bool(self.offered)

    def _chosen_first(self, unit: str) -> Action | None:
        """Return the action that chooses a unit's group to act; None if the group cannot be chosen now."""
        play, battle = play_of(self.battle), self.battle
        group = next((g for g in play.groups(battle) if any(u.id == unit for u in play.members(battle, g))), None)
        kind = next((kind.name for kind in play.kinds.values() if "group" in kind.needs), None)
        side = mover(battle)
        return None if group is None or kind is None or side is None else Action(kind, side, options={"group": group})
