"""The crisis of morale: an army whose losses reach a new mark throws for every unit.

A rule set reports the bases its armies lose (``base_losses``) and, as a ``Host``, how its units stand and what is done
to them. A ``Book`` says at which marks they throw and up to which number they lose heart: that of a rule set itself, or
of a module that a scenario switches on (``modules``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.event import Remembered
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.common import base_losses

#: Prefix of the note that counts the marks an army has been tested for.
TESTED = "crisis:"


@dataclass(frozen=True)
class Host:
    """What a rule set says of its units, and does to them.

    ``units(battle, side)`` are the units that throw unless they are routing, in the order of their dice, without
    generals and messengers (SQP-TST-08). ``routs(unit)`` and ``steady(unit)`` return whether a unit is routing, and
    whether it is in good order. ``rout(unfolding, id)`` puts a unit to rout. ``shake(unfolding, id)`` disrupts one so
    that it retires facing the enemy until it is rallied. ``abandon(unfolding, id)`` lets a battery's crew run and
    returns whether the unit is a battery; without it batteries are treated as other units.
    """

    units: Callable[[Battle, str], Sequence[Unit]]
    routs: Callable[[Unit], bool]
    steady: Callable[[Unit], bool]
    rout: Callable[[Unfolding, str], None]
    shake: Callable[[Unfolding, str], None]
    abandon: Callable[[Unfolding, str], bool] = lambda unfolding, unit: False


@dataclass(frozen=True)
class Levels:
    """The marks in hundredths of an army, ascending, and the level of each in thousandths: a throw up to it fails.

    After the last mark there is another every ``step`` hundredths, with the same level; none if ``step`` is 0.
    """

    marks: tuple[int, ...]
    levels: tuple[int, ...]
    step: int = 0

    def percentage(self, reached: int) -> int:
        """Return the percentage of the mark number ``reached``, from 1.

        >>> Levels((15, 20), (150, 300), 5).percentage(4)
        30
        """
        beyond = max(0, reached - len(self.marks))
        return self.marks[min(reached, len(self.marks)) - 1] + beyond * self.step

    def level(self, reached: int) -> int:
        """Return the level of the mark number ``reached``, from 1.

        >>> Levels((15, 20), (150, 300), 5).level(4)
        300
        """
        return self.levels[min(reached, len(self.levels)) - 1]

    def most(self) -> int:
        """Return how many marks there are up to the whole army."""
        return len(self.marks) + ((100 - self.marks[-1]) // self.step if self.step else 0)


@dataclass(frozen=True)
class Book:
    """What a book says of the crisis: an army's marks and levels, and the rules cited for the test and each number.

    ``crews_run`` is whether the crew of a battery in crisis runs, where the host lets it (SQP-TST-08).
    """

    levels: Callable[[Battle, str], Levels]
    rules: tuple[str, str]
    crews_run: bool = False


def reached(battle: Battle, side: str, levels: Levels) -> int:
    """Return how many of the marks an army's losses have reached; 0 before the first (AGE-SET-05, SQP-TST-11).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> base_losses.count(unfolding, "french", 4)
    >>> reached(unfolding.battle, "french", Levels((15, 20, 25), (150, 300, 500)))
    2
    """
    bases, bases_lost = base_losses.army(battle, side), base_losses.lost(battle, side)
    if not bases:
        return 0
    return sum(bases_lost >= base_losses.mark(bases, levels.percentage(k)) for k in range(1, levels.most() + 1))


def close_the_move(unfolding: Unfolding, host: Host, book: Book) -> None:
    """Test every army at the end of a player turn, each for the highest mark it has newly reached.

    Source: AGE-CRI-02, SQP-TST-01, SQP-TST-10.

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import HOST
    >>> unfolding = Unfolding(open_battle("last-half-hour"), ScriptedDice(rest=1000))
    >>> base_losses.joined(unfolding, unfolding.battle.units)
    >>> base_losses.count(unfolding, "french", 8)
    >>> half = Book(lambda battle, side: Levels((10, 20, 30), (500, 500, 500)), ("SQP-TST-02", "SQP-TST-03"))
    >>> close_the_move(unfolding, HOST, half)
    >>> unfolding.battle.memory[TESTED + "french"]
    2
    """
    for side in unfolding.battle.setup.sides:
        battle = unfolding.battle
        limits = book.levels(battle, side)
        now = reached(battle, side, limits)
        if now > int(battle.memory.get(TESTED + side, 0)):
            unfolding.happen(Remembered(TESTED + side, now))
            _test(unfolding, host, book, side, now)


def _test(unfolding: Unfolding, host: Host, book: Book, side: str, mark: int) -> None:
    """Throw for every unit of an army that is not routing; above the level it fights on.

    Source: AGE-CRI-03, SQP-TST-02, SQP-TST-03, SQP-TST-08.
    """
    limits = book.levels(unfolding.battle, side)
    percent, level = limits.percentage(mark), limits.level(mark)
    record = {"side": side, "percent": percent, "level": level}
    unfolding.tell("crisis", record, rules=book.rules[:1])
    for unit in host.units(unfolding.battle, side):
        if unfolding.battle.has(unit.id) and not host.routs(unfolding.unit(unit.id)):
            number = unfolding.die("crisis", 1000, (level // 2 + 2, level + 2)) - 1
            unfolding.tell("in crisis", {"die": number, "crisis": number <= level}, unit.id, None, book.rules[1:])
            if number <= level and not (book.crews_run and host.abandon(unfolding, unit.id)):
                _suffer(unfolding, host, unit.id, number <= level // 2)


def _suffer(unfolding: Unfolding, host: Host, name: str, deep: bool) -> None:
    """Carry out a crisis at once: the unit routs, or is disrupted and retires until rallied.

    A unit that is already disrupted routs. Source: AGE-CRI-04, SQP-TST-04, SQP-TST-05.
    """
    if deep or not host.steady(unfolding.unit(name)):
        host.rout(unfolding, name)
    else:
        host.shake(unfolding, name)
