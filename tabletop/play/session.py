"""A battle in progress: the steps so far, undo and redo, and the autosave.

A step in which dice were thrown cannot be undone. The other side's answer can be undone only if it needed no die, as
then nothing was learnt from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from tabletop.battle import bygone
from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Thrown
from tabletop.errors import BadQuestion, Unsaved
from tabletop.play import engine, knowledge
from tabletop.play.done import Done
from tabletop.play.engine import Step
from tabletop.play.given_dice import GivenDice, dice_of, fault_of
from tabletop.play.players import viewer
from tabletop.play.saves import replay, save, versions
from tabletop.play.saves.autosave import Autosave
from tabletop.play.saves.save import Header, Saved
from tabletop.play.saves.writer import Writer
from tabletop.play.thought import Thought
from tabletop.rules import rule_set

#: Battles kept in full: the present one, and the one before it while the last action is being shown.
PRESENT = 2
#: Gives the dice for the action that follows these steps.
Dice = Callable[[Sequence[Step]], Chance]


class Session:
    """A battle being played. The first of ``steps`` is the beginning.

    It is saved after every action: before the action returns, or on a separate thread after ``save_apart``. Then
    ``trouble``, ``path`` and ``news`` wait for the write to end.

    In practice everything can be undone, dice too, and the save says that it was practice. In an exercise
    (``practise``) the dice are also set beforehand, and nothing is saved, since a game played with other dice than
    those of its seed cannot be verified.
    """

    def __init__(self, header: Header, steps: list[Step], autosave: Autosave, dice: Dice | None = None) -> None:
        self._dice = dice
        self._given: list[float] | None = None
        self.header = header
        self.steps = steps
        self._older: str | None = None
        self._undone: list[Step] = []
        self._autosave = autosave
        self._writer = Writer()
        for past, after in pairwise(step.battle for step in steps[:-1]):
            bygone.let_go(past, after)

    @classmethod
    def start(
        cls,
        battle: Battle,
        seed: int,
        players: Mapping[str, str] | None = None,
        autosave: Path | None = None,
        practice: bool = False,
    ) -> Session:
        """Begin a battle as laid out, ``players`` naming who plays each side; ``autosave`` is the file it is kept in.

        Raises Unsaved if that file cannot be written: better now than after an hour's play.
        """
        header = Header(battle, seed, dict(players or {}), practice=practice)
        step = engine.begin(battle, seed)
        saved_to = Autosave(header, [step], autosave)
        saved_to.keep()
        return cls(header, [step], saved_to)

    @classmethod
    def practise(cls, battle: Battle, dice: Dice) -> Session:
        """Begin an exercise from a battle already under way, with dice set beforehand."""
        header, step = Header(battle, battle.seed, {}), Step(None, None, (), battle)
        return cls(header, [step], Autosave(header, [step], None), dice)

    @classmethod
    def with_dice(cls, battle: Battle, seed: int, players: Mapping[str, str], numbers: Sequence[float]) -> Session:
        """Begin a battle as laid out with the ``numbers`` thrown at a real table; later throws come from the seed.

        It is practice and not saved. Raises BadQuestion for a number that no die of the rules, or not the first, shows.
        """
        play, given = engine.play_of(battle), list(numbers)
        check_throws(battle, given)

        def following(steps: Sequence[Step]) -> Chance:
            thrown = _count_thrown(steps)
            return GivenDice(given[thrown:], play.lowest, seed=seed, thrown=thrown)

        header = Header(battle, seed, dict(players))
        step = engine.begin(battle, seed, following(()))
        session = cls(header, [step], Autosave(header, [step], None), following)
        session._given = given
        return session

    def throw(self, numbers: Sequence[float]) -> None:
        """Give the throws from here on, in place of those not yet used.

        Raises BadQuestion in a battle begun without given dice, or for a number that no die of the rules shows.
        """
        if self._given is None:
            text = "the program throws the dice of this battle; begin one with the option --dice to give your own"
            raise BadQuestion(text)
        check_throws(self.battle, numbers)
        self._given[_count_thrown(self.steps) :] = numbers

    @classmethod
    def resume(cls, saved: Saved, autosave: Path | None = None) -> Session:
        """Continue a saved game; ``autosave`` is the file it is kept in from now on (usually its own)."""
        steps = save.steps_of(saved, list(replay.battles(saved)))
        session = cls(saved.header, steps, Autosave.of(saved, steps, autosave))
        session._writer.put(session._autosave.begin)
        session._older = _older(saved)
        return session

    @property
    def battle(self) -> Battle:
        return self.steps[-1].battle

    @property
    def known(self) -> Battle:
        """The battle as the person at the screen may know it (``knowledge.concealed``)."""
        return knowledge.without(self.battle, self.hidden)

    @property
    def known_steps(self) -> Sequence[Step]:
        """The steps as the person at the screen may know them now."""
        return knowledge.known_steps(self.steps, self.hidden)

    @property
    def known_header(self) -> Header:
        """The header with the opening as the person at the screen may know it now."""
        return replace(self.header, opening=knowledge.without(self.header.opening, self.hidden))

    def conceals(self, action: Action) -> bool:
        """Return whether an action names a unit that the person at the screen may not know of."""
        return knowledge.concerns(action, self.hidden)

    @property
    def hidden(self) -> frozenset[str]:
        """The units that the person at the screen may not know of."""
        return knowledge.concealed(self.battle, viewer(self.battle, self.header.players))

    @property
    def mover(self) -> str | None:
        """The side that must act or answer now; None once the battle is over."""
        return engine.mover(self.battle)

    @property
    def path(self) -> Path | None:
        """The file the game is kept in, if it is kept."""
        self._writer.wait()
        return self._autosave.path

    @property
    def trouble(self) -> str | None:
        """Why the game could not be saved in its file after the last action; None if it was saved."""
        return self._writer.trouble

    def news(self) -> str | None:
        """Return, once, what the players should know about how the game is saved; None if there is nothing new."""
        self._writer.wait()
        notices = [text for text in (self._older, self._autosave.notice) if text is not None]
        self._older = self._autosave.notice = None
        return ". ".join(notices) or None

    def do(self, action: Action, thought: Thought | None = None) -> Step:
        """Carry out one action; Illegal, with the verdict, if the rules do not allow it.

        A failed autosave does not undo it: the game goes on in memory and ``trouble`` says what is wrong.
        """
        step = engine.submit(self.battle, action, self._dice and self._dice(self.steps))
        return self._taken(replace(step, thought=thought))

    def follow(self, done: Done) -> Step:
        """Carry out an action whose events were computed elsewhere from this battle; without events, as ``do``."""
        if done.events is None:
            return self.do(done.action, done.thought)
        step = engine.follow(self.battle, done.action, done.verdict, done.events)
        return self._taken(replace(step, thought=done.thought))

    def _taken(self, step: Step) -> Step:
        kept_step = step.kept
        self._append(kept_step)
        self._undone.clear()
        self._writer.put(lambda: self._autosave.add(kept_step))
        return kept_step

    def _append(self, step: Step) -> None:
        """Add a step; battles before the last two are rarely needed, so they drop their cached values."""
        self.steps.append(step)
        if len(self.steps) > PRESENT:
            bygone.let_go(self.steps[-PRESENT - 1].battle, self.steps[-PRESENT].battle)

    @property
    def practice(self) -> bool:
        """Whether it is practice, in which everything can be undone, dice too."""
        return self._dice is not None or self.header.practice

    # --- undo and redo ---

    def why_not_undo(self) -> str | None:
        """Return why the last step cannot be undone, None if it can."""
        if len(self.steps) == 1:
            return "nothing has been done yet"
        if self.steps[-1].thrown and not self.practice:
            return "chance had a hand in it: a die once thrown stays thrown"
        return None

    def undo(self) -> Step:
        """Undo the last step and return it; BadQuestion if it cannot be undone."""
        if why := self.why_not_undo():
            raise BadQuestion(f"the last action cannot be taken back: {why}")
        step = self.steps.pop()
        self._undone.append(step)
        self._writer.put(self._autosave.drop)
        return step

    def redo(self) -> Step:
        """Redo the step undone last; BadQuestion if there is none, or if something else was done since."""
        if not self._undone:
            raise BadQuestion("there is nothing to do again")
        step = self._undone.pop()
        self._append(step)
        self._writer.put(lambda: self._autosave.add(step))
        return step

    # --- saving ---

    def save_apart(self) -> None:
        """Save on a separate thread from now on, so that the caller does not wait for the disk; an action still waits
        until the one before has been saved."""
        self._writer.go_apart()

    @property
    def saving(self) -> bool:
        """Whether the last action is still being saved."""
        return self._writer.busy

    def saved(self) -> bool:
        """Return True once after the save of the last action has ended; ``trouble`` says whether it failed."""
        return self._writer.ended()

    def save_as(self, path: Path) -> None:
        """Write the whole game to ``path``, where it is kept from now on; Unsaved if it cannot be written."""
        if self._dice is not None:
            raise Unsaved("this is practice: it is played with set dice and is not saved")
        self._writer.wait()
        self._autosave.save_as(path)
        self._writer.forget()

    def close(self) -> None:
        """Wait until everything is saved, and end the saving thread."""
        self._writer.close()


def check_throws(battle: Battle, numbers: Sequence[float]) -> None:
    """Raise BadQuestion for the first number that no die of the battle's rules can show."""
    lowest, dice = engine.play_of(battle).lowest, dice_of(rule_set.find(battle.rules))
    for number in numbers:
        if shown := fault_of(number, lowest, dice):
            raise BadQuestion(f"dice: {number:g} is no throw of these rules; it is {shown}")


def _count_thrown(steps: Sequence[Step]) -> int:
    return sum(isinstance(event, Thrown) for step in steps for event in step.events)


def _older(saved: Saved) -> str | None:
    """Return a notice that a game was begun under versions other than those it continues under; None if they agree."""
    begun, now = saved.header.begun_under, versions.current(saved.header.opening.rules)
    if begun == now:
        return None
    return (
        f"This battle was begun under {versions.named(begun)}; from here on it is played under {versions.named(now)}, "
        "and cannot be verified"
    )
