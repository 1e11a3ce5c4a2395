"""The public Python interface: a table to ask questions of, and verdicts that show their proof.

The names in ``tabletop.__all__`` stay the same from version to version; everything else may change.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Certainty, Dependency, Elsewhere, Margin, Reason

if TYPE_CHECKING:
    from tabletop.battle.battle import Battle
    from tabletop.geometry.verdict import Verdict as Answer
    from tabletop.render.drawing.primitives import Drawing

__all__ = ["Picture", "Reason", "Table", "Verdict", "examples", "load"]


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    at: int | str | None = None,
    side: str | None = None,
    everything: bool = False,
) -> Table:
    """Return the table of a scene, a scenario or a saved game.

    ``source`` is a file, the name of one that comes with the program (``examples()``), or a scene as plain data. ``at``
    is a moment of a saved game: after so many actions, or as a turn opens (``"turn:3"``); by default, as it was left.
    If its rules hide units and it is not over, it is loaded as the people who play it may know it, or as ``side`` may,
    or with ``everything``. Raises Unreadable, with every fault, for a faulty file; BadQuestion for a moment that was
    never reached, and for a side that it does not have.

    >>> import tabletop
    >>> table = tabletop.load("level-shadow")
    >>> table.title
    'Level shadow behind a wood'
    """
    if isinstance(source, Mapping):
        from tabletop.play.files.load import load_scene_data

        if at is not None:
            raise BadQuestion("only a saved game has moments to look at; leave out 'at'")
        if side is not None or everything:
            raise BadQuestion("only a saved game hides units; leave out 'side' and 'everything'")
        return Table(load_scene_data(source))
    if not isinstance(source, str | os.PathLike):
        raise BadQuestion(f"a table is loaded from a file, a name or a scene as a dict, not {type(source).__name__}")
    from tabletop.play.files.opened import open_battle
    from tabletop.play.viewing import View

    return Table(open_battle(os.fspath(source), None if at is None else str(at), View(side, everything)))


def examples() -> tuple[str, ...]:
    """Return the names of the battles and disputed positions that come with the program; each can be loaded.

    >>> import tabletop
    >>> "starter" in tabletop.examples()
    True
    """
    from tabletop.play.files import bundled
    from tabletop.play.files.installed import FOLDERS

    return tuple(example.name for example in bundled.examples() if example.place.startswith(FOLDERS[0]))


class Table:
    """A battle as it stands on its table. It never changes: methods that change something return another table.

    >>> import tabletop
    >>> table = tabletop.load("level-shadow")
    >>> table.rules, table.size
    ('tse', (28.0, 20.0, 'in'))
    >>> table.units["low-guns"]
    'Guns on the first step'
    """

    def __init__(self, battle: Battle) -> None:
        self._battle = battle

    @property
    def title(self) -> str:
        """The title of the battle."""
        return self._battle.title

    @property
    def rules(self) -> str:
        """The short name of the rule set by which it is judged."""
        return self._battle.rules

    @property
    def size(self) -> tuple[float, float, str]:
        """Width and height of the table, and their unit."""
        ground = self._battle.table
        return ground.width, ground.height, ground.unit

    @property
    def units(self) -> dict[str, str]:
        """The name of every unit and general on the table, by the id that questions use."""
        return {unit.id: unit.called for unit in self._battle.units}

    def position(self, unit: str) -> tuple[float, float, float]:
        """Return a unit's centre point and its facing in degrees clockwise from north.

        >>> import tabletop
        >>> tabletop.load("level-shadow").position("low-guns")
        (7.5, 6.0, 90.0)
        """
        placed = self._battle.unit(_word(unit))
        return (*placed.at, placed.facing)

    def moved(self, unit: str, east: float = 0.0, north: float = 0.0, turn: float = 0.0) -> Table:
        """Return the table with a unit moved east and north and turned clockwise about its centre point.

        Lengths are in the table's unit, ``turn`` in degrees. No rule is applied and no path measured.

        >>> import tabletop
        >>> table = tabletop.load("level-shadow")
        >>> table.moved("low-guns", east=-1).position("low-guns")
        (6.5, 6.0, 90.0)
        """
        from tabletop.play.requests import number

        east, north, turn = number("east", east), number("north", north), number("turn", turn)
        return Table(self._battle.with_unit(self._battle.unit(_word(unit)).turned(turn).moved(east, north)))

    def judge(self, question: str, *units: str, margin: bool = False, **options: Any) -> Verdict:
        """Return the verdict on a question about one or two units; words and options are those of ``tabletop judge``.

        ``margin`` asks how close the call is as well, which takes many times as long. Lengths are in the table's
        unit, places are (east, north), angles degrees clockwise from north; an option that is a Python keyword gets a
        ``_`` at its end (``as_``, ``from_``). Raises BadQuestion, in one line with the cure, for what cannot be asked.

        >>> import tabletop
        >>> table = tabletop.load("level-shadow")
        >>> table.judge("los", "low-guns", "middle").holds
        False
        >>> table.judge("move", "low-guns", to=(8, 8), as_="maneuver").question
        'move'
        """
        from tabletop.judge import judge
        from tabletop.play.requests import check_units, read_options, with_rulings

        given = {name.rstrip("_"): value for name, value in options.items()}
        asked = read_options({**given, "margin": margin})
        battle = with_rulings(self._battle, asked.pop("rulings", {}))
        named = [_word(unit) for unit in units]
        check_units(battle, named, asked)
        return Verdict(battle, judge(battle, _word(question), named, asked))

    def diagram(self) -> Picture:
        """Return a picture of the table.

        >>> import tabletop
        >>> tabletop.load("level-shadow").diagram().svg.startswith("<?xml")
        True
        """
        from tabletop.render.drawing.scene import picture

        return Picture(picture(self._battle))

    def _repr_svg_(self) -> str:
        return self.diagram().svg

    def __repr__(self) -> str:
        return f"<Table {self.title!r}: {len(self._battle.units)} units, rules {self.rules}>"


class Verdict:
    """The answer to a question: whether it holds, why, and how close the call is. A notebook shows it as its proof.

    >>> import tabletop
    >>> table = tabletop.load("level-shadow")
    >>> verdict = table.judge("los", "low-guns", "middle", margin=True)
    >>> verdict.holds
    False
    >>> 0 < verdict.margin < 1
    True
    >>> verdict.reasons[0].rule
    'TSE-LOS-06'
    >>> print(verdict.text.splitlines()[0])
    No. Guns on the first step does not see Middle line: Wood is in the way.
    >>> bool(verdict)
    False
    """

    def __init__(self, battle: Battle, answer: Answer) -> None:
        self._battle, self._answer = battle, answer

    @property
    def question(self) -> str:
        """The question that was asked."""
        return self._answer.question

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the units it is about."""
        return self._answer.args

    @property
    def holds(self) -> bool:
        """Whether the answer is yes."""
        return self._answer.holds

    @property
    def margin(self) -> float | None:
        """The smallest shift found that changes the answer, in the table's unit.

        None if none was found, or if the margin was not asked for.
        """
        return self._answer.margin

    @property
    def margin_turn(self) -> float | None:
        """The smallest rotation found that changes the answer, in degrees; None as for ``margin``."""
        return self._answer.margin_turn

    @property
    def turned_by(self) -> Elsewhere | None:
        """The one thing whose move changes the answer, and where it would have to stand; None as for ``margin``.

        It has ``id`` and ``shift`` (east, north), or ``turn`` (degrees clockwise) if only a rotation changes it.

        >>> import tabletop
        >>> verdict = tabletop.load("level-shadow").judge("los", "low-guns", "middle", margin=True)
        >>> verdict.turned_by.id in ("low-guns", "middle", "wood") and len(verdict.turned_by.shift)
        2
        """
        closeness = self._answer.closeness
        return None if closeness is None else closeness.shifted or closeness.turned

    @property
    def attributes(self) -> Mapping[str, Margin]:
        """Further facts that players dispute, by name, each with its ``value`` and its own margin.

        Each has ``shift`` and ``turn``, the smallest that change it (None if none does), and ``shifted`` and
        ``turned``, which thing would have to stand where. Empty if the margin was not asked for, and for a no that no
        shift can change.

        >>> import tabletop
        >>> verdict = tabletop.load("starter").judge("command", "arnaud", margin=True)
        >>> verdict.attributes["general"].value, verdict.attributes["general"].shift
        ('morel', None)
        """
        return self._answer.attributes

    @property
    def too_close(self) -> bool | None:
        """Whether the margin is smaller than a tape measure can resolve; None if the margin was not asked for."""
        return self._answer.too_close

    @property
    def certainty(self) -> Certainty | None:
        """How sure the call is on a table measured as exactly as the option ``error`` says; None without it."""
        return self._answer.certainty

    @property
    def depends_on(self) -> tuple[Dependency, ...]:
        """The rulings that, read the other way, would change the answer."""
        return self._answer.depends_on

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why: every measurement against its limit, with its rule."""
        return self._answer.because

    @property
    def measured(self) -> Mapping[str, Any]:
        """Measured values, by name."""
        return self._answer.measured

    @property
    def blockers(self) -> tuple[str, ...]:
        """The ids of the pieces and units that prevent it."""
        return self._answer.blockers

    @property
    def text(self) -> str:
        """The verdict in words, as ``tabletop judge`` prints it."""
        from tabletop.play.verdict_words import explained

        return explained(self._answer, self._battle)

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain data, as ``tabletop judge --json`` prints it; it can be written as JSON.

        >>> import json, tabletop
        >>> verdict = tabletop.load("level-shadow").judge("distance", "low-guns", "middle")
        >>> json.loads(json.dumps(verdict.as_json()))["holds"]
        True
        """
        data: dict[str, Any] = _plain(self._answer.as_json())
        return data

    def diagram(self) -> Picture:
        """Return the picture of the proof.

        >>> import tabletop
        >>> proof = tabletop.load("level-shadow").judge("los", "low-guns", "middle").diagram()
        >>> "shadow of Wood" in proof.svg
        True
        """
        from tabletop.render.drawing.scene import picture

        return Picture(picture(self._battle, self._answer))

    def _repr_svg_(self) -> str:
        return self.diagram().svg

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Verdict {self.question} {' '.join(self.units)}: {'yes' if self.holds else 'no'}>"


class Picture:
    """A picture of a table or of a proof: notebooks show it, and it can be saved to a file.

    >>> import tabletop, tempfile, pathlib
    >>> picture = tabletop.load("level-shadow").diagram()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = picture.save(pathlib.Path(folder) / "table.pdf")
    ...     path.name, path.read_bytes()[:5]
    ('table.pdf', b'%PDF-')
    """

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing

    @property
    def svg(self) -> str:
        """The picture as an SVG document."""
        from tabletop.render.drawing.svg import svg

        return svg(self._drawing)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture to a file, as its suffix says (.svg, .png, .pdf), whole or not at all; return its path.

        Raises BadQuestion for another suffix, or a place that cannot be written to.
        """
        from tabletop.render.painting.files import write_picture

        return write_picture(os.fspath(path), self._drawing)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        wide, high = self._drawing.size
        return f"<Picture {self._drawing.title!r}: {wide} x {high}>"


def _word(given: object) -> str:
    if not isinstance(given, str):
        raise BadQuestion(f"questions and units are named by words, not {type(given).__name__}")
    return given


def _plain(value: Any) -> Any:
    """Return plain data with the numbers of an array library as plain Python ones."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value
