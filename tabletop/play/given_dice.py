"""Dice thrown at a real table: the numbers as players read them, for a battle at the prompt and for worked cases."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.dice import FINE, face, graded
from tabletop.errors import BadQuestion

#: Dice of more sides than this are random numbers, which may be given as a fraction, 0.349, or in thousandths, 349.
RANDOM_NUMBER = 100


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
        if sides > RANDOM_NUMBER and 0.0 < number < 1.0:
            number = round(number * sides)
        shown = int(number) - self.lowest + 1
        if number != int(number) or not 1 <= shown <= sides:
            high = sides + self.lowest - 1
            raise BadQuestion(f"dice: {number:g} is no throw for '{purpose}'; it is {self.lowest} to {high}")
        return shown

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        number = self._next(purpose)
        if number is None:
            drawn = face(self._seed or 0, self._thrown + len(self.purposes) - 1, FINE)
            draw = (drawn - 0.5) / FINE
        elif 0.0 < number < 1.0:
            draw = number
        elif 1.0 <= number <= 6.0:
            draw = (number - 0.5) / 6.0
        else:
            raise BadQuestion(f"dice: {number:g} is no throw for '{purpose}'; it is 1 to 6, or a draw between 0 and 1")
        return graded(draw, probabilities), draw

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
