"""A battle in progress: what was done so far, taking back, doing again, and the autosave that follows.

Nothing is taken back past a die: a step in which chance had a hand stays. What the other side answered is taken back
only where no die was thrown for it; then nothing was learnt by asking.
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
from tabletop.play import engine
from tabletop.play.done import Done
from tabletop.play.engine import Step
from tabletop.play.given_dice import GivenDice
from tabletop.play.saves import replay, save, versions
from tabletop.play.saves.autosave import Autosave
from tabletop.play.saves.save import Header, Saved
from tabletop.play.saves.writer import Writer
from tabletop.play.thought import Thought

#: Battles that are looked at: the one that stands, and the one before it, while what was done is shown.
PRESENT = 2
#: The dice for the action that follows some steps.
Dice = Callable[[Sequence[Step]], Chance]


class Session:
    """A battle being played. The first of ``steps`` is the beginning.

    It is saved after every action: before the action is returned, or on a thread of its own after ``save_apart``. Then
    whoever asks how or where it is saved (``trouble``, ``path``, ``news``) waits for what is being written.

    In practice everything can be taken back, dice too, and the save says that it was practice. In an exercise
    (``practise``) the dice are set beforehand besides, and nothing is saved: no saved game could be verified that was
    played with other dice than its seed's.
    """

    def __init__(self, header: Header, steps: list[Step], autosave: Autosave, dice: Dice | None = None) -> None:
        self._dice = dice
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

        Unsaved when that file cannot be written: better now than after an hour's play.
        """
        header = Header(battle, seed, dict(players or {}), practice=practice)
        step = engine.begin(battle, seed)
        saved_to = Autosave(header, [step], autosave)
        saved_to.keep()
        return cls(header, [step], saved_to)

    @classmethod
    def practise(cls, battle: Battle, dice: Dice) -> Session:
        """Begin to practise from a battle as it stands, begun already, with dice set beforehand."""
        header, step = Header(battle, battle.seed, {}), Step(None, None, (), battle)
        return cls(header, [step], Autosave(header, [step], None), dice)

    @classmethod
    def with_dice(cls, battle: Battle, seed: int, players: Mapping[str, str], numbers: Sequence[float]) -> Session:
        """Begin a battle as laid out with throws made at a real table, as players read them; then the seed's dice.

        It is practice and not saved. BadQuestion for a number that is no throw of what is thrown first.
        """
        lowest = engine.play_of(battle).lowest

        def following(steps: Sequence[Step]) -> Chance:
            made = sum(isinstance(event, Thrown) for step in steps for event in step.events)
            return GivenDice(numbers[made:], lowest, seed=seed, thrown=made)

        header = Header(battle, seed, dict(players))
        step = engine.begin(battle, seed, following(()))
        return cls(header, [step], Autosave(header, [step], None), following)

    @classmethod
    def resume(cls, saved: Saved, autosave: Path | None = None) -> Session:
        """Go on with a saved game; ``autosave`` is the file it is kept in from now on (its own, usually)."""
        steps = save.steps_of(saved, list(replay.battles(saved)))
        session = cls(saved.header, steps, Autosave.of(saved, steps, autosave))
        session._writer.put(session._autosave.begin)
        session._older = _older(saved)
        return session

    @property
    def battle(self) -> Battle:
        return self.steps[-1].battle

    @property
    def mover(self) -> str | None:
        """The side that must act or answer now; None when the battle is over."""
        return engine.mover(self.battle)

    @property
    def path(self) -> Path | None:
        """The file the game is kept in, if it is kept."""
        self._writer.wait()
        return self._autosave.path

    @property
    def trouble(self) -> str | None:
        """Why the game could not be saved in its file after the last action; None when it was saved."""
        return self._writer.trouble

    def news(self) -> str | None:
        """Return what the players should know about how the game is kept, once; None when there is nothing new."""
        self._writer.wait()
        said = [text for text in (self._older, self._autosave.notice) if text is not None]
        self._older = self._autosave.notice = None
        return ". ".join(said) or None

    def do(self, action: Action, thought: Thought | None = None) -> Step:
        """Do one action; Illegal, with the verdict, when the rules do not allow it.

        A failed autosave does not undo it: the game goes on in memory and ``trouble`` says what is wrong.
        """
        step = engine.submit(self.battle, action, self._dice and self._dice(self.steps))
        return self._taken(replace(step, thought=thought))

    def follow(self, done: Done) -> Step:
        """Do an action whose outcome has been worked out elsewhere, from this very battle; else as ``do``."""
        if done.events is None:
            return self.do(done.action, done.thought)
        step = engine.follow(self.battle, done.action, done.verdict, done.events)
        return self._taken(replace(step, thought=done.thought))

    def _taken(self, step: Step) -> Step:
        kept = step.kept
        self._append(kept)
        self._undone.clear()
        self._writer.put(lambda: self._autosave.add(kept))
        return kept

    def _append(self, step: Step) -> None:
        """Add a step; the battle before the last one is no longer looked at, as a rule, and holds only what it is."""
        self.steps.append(step)
        if len(self.steps) > PRESENT:
            bygone.let_go(self.steps[-PRESENT - 1].battle, self.steps[-PRESENT].battle)

    @property
    def practice(self) -> bool:
        """Whether it is practice: everything can be taken back, dice too."""
        return self._dice is not None or self.header.practice

    # --- taking back ---

    def why_not_undo(self) -> str | None:
        """Return why the last step cannot be taken back, None if it can."""
        if len(self.steps) == 1:
            return "nothing has been done yet"
        if self.steps[-1].thrown and not self.practice:
            return "chance had a hand in it: a die once thrown stays thrown"
        return None

    def undo(self) -> Step:
        """Take the last step back and return it; BadQuestion when it stays."""
        if why := self.why_not_undo():
            raise BadQuestion(f"the last action cannot be taken back: {why}")
        step = self.steps.pop()
        self._undone.append(step)
        self._writer.put(self._autosave.drop)
        return step

    def redo(self) -> Step:
        """Do again what was taken back last; BadQuestion when there is nothing, or something else was done since."""
        if not self._undone:
            raise BadQuestion("there is nothing to do again")
        step = self._undone.pop()
        self._append(step)
        self._writer.put(lambda: self._autosave.add(step))
        return step

    # --- keeping ---

    def save_apart(self) -> None:
        """Save on a thread of its own from now on, so that nobody waits for the disk; an action still waits for the
        one before to be saved."""
        self._writer.go_apart()

    @property
    def saving(self) -> bool:
        """Whether the last action is still being saved."""
        return self._writer.busy

    def saved(self) -> bool:
        """Return, once for the last action, that it has been saved or could not be: ``trouble`` says which."""
        return self._writer.ended()

    def save_as(self, path: Path) -> None:
        """Write the whole game to ``path``, where it is kept from now on; Unsaved when it cannot be written."""
        if self._dice is not None:
            raise Unsaved("this is practice: it is played with set dice and is not saved")
        self._writer.wait()
        self._autosave.save_as(path)
        self._writer.forget()

    def close(self) -> None:
        """Wait until all is saved, and end the thread that saved it."""
        self._writer.close()


def _older(saved: Saved) -> str | None:
    """Return a notice that a game was begun under versions other than those it continues under; None if they agree."""
    begun, here = saved.header.begun_under, versions.current(saved.header.opening.rules)
    if begun == here:
        return None
    return (
        f"This battle was begun under {versions.named(begun)}; from here on it is played under {versions.named(here)}, "
        "and cannot be verified"
    )
