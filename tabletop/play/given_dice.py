"""Dice thrown at a real table: the numbers as players read them, for a battle at the prompt and for worked cases."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib import resources

from tabletop.battle.dice import FINE, face, graded
from tabletop.errors import BadQuestion
from tabletop.rules.rule_set import RuleSet

#: The highest number and draw that a die for graded outcomes may show.
FACES = 6.0
#: Dice of more sides than this are random numbers, which may be given as a fraction, 0.349, or in thousandths, 349.
RANDOM_NUMBER = 100


class BadThrow(BadQuestion):
    """A given number is no throw of the die; ``anew`` are the numbers from this action on, "N" for the one at fault."""

    def __init__(self, text: str, anew: str) -> None:
        self.anew = anew
        super().__init__(text)


def dice_of(rules: RuleSet) -> tuple[int, ...]:
    """Return how many faces the dice of some rules have, by ``throw`` in the files tables.toml of its packages.

    Without such a table nothing is known of the dice, and the result is empty.

    >>> from tabletop.rules import rule_set
    >>> dice_of(rule_set.find("sail")), dice_of(rule_set.find("realm-of-chance")), dice_of(rule_set.find("tse"))
    ((6,), (6, 1000), ())
    """
    files = (resources.files(package).joinpath("tables.toml") for package in rules.data_packages)
    tables = [tomllib.loads(file.read_text("utf-8")) for file in files if file.is_file()]
    return tuple(sorted({int(rows["throw"]["sides"]) for rows in tables if "sides" in rows.get("throw", {})}))


def fault_of(number: float, lowest: int, dice: Sequence[int]) -> str | None:
    """Return what dice can show instead, if ``number`` is a throw of none of them (numbers of faces, or ``FINE``).

    ``lowest`` is the lowest number on the dice, as in ``GivenDice``. None if it is a throw, or if no dice are named.

    >>> fault_of(7, 1, (6,)), fault_of(0.349, 0, (6, 1000)), fault_of(3.5, 1, (6, FINE))
    ('1 to 6', None, '1 to 6, or a draw between 0 and 1')
    """
    if not dice or any(_face(number, lowest, sides) or (sides == FINE and _drawn(number)) for sides in dice):
        return None
    most = max((sides for sides in dice if sides != FINE), default=int(FACES))
    fraction = ", or a draw between 0 and 1" if FINE in dice else ""
    return f"{lowest} to {most + lowest - 1}{fraction}"


def _face(number: float, lowest: int, sides: int) -> int | None:
    """Return the face from 1 to ``sides`` that a number stands for; None if it stands for none."""
    if sides == FINE:
        return None
    if sides > RANDOM_NUMBER and 0.0 < number < 1.0:
        number = round(number * sides)
    shown = int(number) - lowest + 1
    return shown if number == int(number) and 1 <= shown <= sides else None


def _drawn(number: float) -> float | None:
    """Return how high a draw in (0, 1) a number stands for, as a draw or as the face of a die; None if for none."""
    if 0.0 < number < 1.0:
        return number
    return (number - 0.5) / FACES if number == int(number) and 1.0 <= number <= FACES else None


class GivenDice:
    """Chance as read from real dice: each throw takes the next number.

    ``lowest`` is the lowest number players read on the dice of the rules: 1, or 0 for a random number in thousandths.
    Once the numbers have run out, every further throw shows ``rest`` if given. Otherwise throws come from ``seed`` as
    in any battle, ``thrown`` being the number thrown before. Without either, a further throw raises BadQuestion.
    """

    def __init__(
        self,
        numbers: Sequence[float],
        lowest: int = 1,
        *,
        rest: float | None = None,
        seed: int | None = None,
        thrown: int = 0,
    ) -> None:
        self.numbers = tuple(numbers)
        self.lowest = lowest
        self.purposes: list[str] = []
        self._rest = rest
        self._seed = seed
        self._thrown = thrown

    @property
    def used(self) -> int:
        """The number of given numbers that have been used."""
        return min(len(self.purposes), len(self.numbers))

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        number = self._next(purpose)
        if number is None:
            return face(self._seed or 0, self._thrown + len(self.purposes) - 1, sides)
        shown = _face(number, self.lowest, sides)
        if shown is None:
            raise self._refused(number, purpose, sides)
        return shown

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        number = self._next(purpose)
        if number is None:
            drawn = face(self._seed or 0, self._thrown + len(self.purposes) - 1, FINE)
            draw = (drawn - 0.5) / FINE
        else:
            height = _drawn(number)
            if height is None:
                raise self._refused(number, purpose, FINE)
            draw = height
        return graded(draw, probabilities), draw

    def _refused(self, number: float, purpose: str, sides: int) -> BadThrow:
        text = f"dice: {number:g} is no throw for '{purpose}'; it is {fault_of(number, self.lowest, (sides,))}"
        bad = len(self.purposes) - 1
        return BadThrow(text, ",".join("N" if k == bad else f"{n:g}" for k, n in enumerate(self.numbers)))

    def _next(self, purpose: str) -> float | None:
        """Return the next given number, None if the battle's own dice are to throw; record the purpose."""
        self.purposes.append(purpose)
        if len(self.purposes) <= len(self.numbers):
            return self.numbers[len(self.purposes) - 1]
        if self._rest is not None:
            return self._rest
        if self._seed is None:
            had = f"{len(self.numbers)} number{'s' if len(self.numbers) != 1 else ''}"
            raise BadQuestion(f"dice: {had} given, and one more is thrown, for '{purpose}'; add it")
        return None


def throws_of(text: str) -> list[float]:
    """Return throws written with commas, "3,6,2"; BadQuestion, naming the one at fault, for anything else.

    >>> throws_of("3, 6,2")
    [3.0, 6.0, 2.0]
    """
    numbers = []
    for word in text.split(","):
        try:
            number = float(word)
        except ValueError:
            number = float("nan")
        if not 0.0 <= number <= 999_999.0:
            raise BadQuestion(f"--dice: '{word.strip()[:40]}' is no throw; write them with commas: --dice 3,6,2")
        numbers.append(number)
    return numbers
