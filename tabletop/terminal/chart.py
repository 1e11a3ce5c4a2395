"""The table drawn in characters, north up."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import plain, side_name
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.play.environment import environment
from tabletop.rules.terrain_kinds import own_kind
from tabletop.rules.traits import traits_on
from tabletop.terminal.layout import paragraph

#: Columns of a chart; a character is about twice as high as it is wide.
COLUMNS, ASPECT = 78, 2.0
#: The character of each kind of terrain; hills show their level.
SIGNS = {
    "woods": '"', "town": "#", "building": "#", "road": "=", "track": "-", "river": "~", "stream": "~", "lake": "~",
    "marsh": ",", "rough": ",", "wall": "+", "hedge": "+", "bridge": "=", "ford": "=", "redoubt": "%", "trench": "%",
}  # fmt: skip
NOTHING, ELSEWHERE = " ", ";"
LETTERS = ascii_uppercase, ascii_lowercase
MANY = "*"
#: Share of the table from which a piece of terrain is the table itself, such as a sea.
FLOOD = 0.9


def chart(battle: Battle) -> str:
    """Return the table in letters, each side with its own case, with dusk, mist, wind and a legend of it all."""
    width, height = battle.table.width, battle.table.height
    cell = width / COLUMNS
    rows = [[NOTHING] * COLUMNS for _ in range(max(1, round(height / cell / ASPECT)))]
    _ground(battle, rows)
    letters = _letters(battle)
    for unit in battle.units:
        column = min(COLUMNS - 1, max(0, int(unit.at[0] / width * COLUMNS)))
        row = min(len(rows) - 1, max(0, int((1.0 - unit.at[1] / height) * len(rows))))
        taken = any(rows[row][column] in alphabet for alphabet in LETTERS)
        rows[row][column] = MANY if taken else letters[unit.id]
    frame = "+" + "-" * COLUMNS + "+"
    lines = [frame, *("|" + "".join(row) + "|" for row in rows), frame]
    around = environment(battle)
    return "\n".join([*lines, *([around] if around else []), *_signs(battle), *_legend(battle, letters)])


def _ground(battle: Battle, rows: Sequence[list[str]]) -> None:
    """Write each piece's sign into the cells whose centres lie in it, or near it if it is thin; hills come first."""
    width, height = battle.table.width, battle.table.height
    xs = [(k + 0.5) * width / COLUMNS for k in range(COLUMNS)]
    ys = [(1.0 - (k + 0.5) / len(rows)) * height for k in range(len(rows))]
    points = shapely.points([[x, y] for y in ys for x in xs])
    reach = height / len(rows) / 2
    for piece in _pieces(battle):
        thin = piece.shape.area < 2.0 * reach * piece.shape.length
        inside = shapely.dwithin(piece.shape, points, reach if thin else 0.0)
        for number in map(int, inside.nonzero()[0]):
            rows[number // COLUMNS][number % COLUMNS] = _sign(piece)


def _pieces(battle: Battle) -> list[Terrain]:
    """Return the pieces that have a sign, hills first; one that is all the table, such as a sea, has none."""
    whole = FLOOD * battle.table.width * battle.table.height
    return sorted((p for p in battle.table.terrain if p.shape.area <= whole), key=lambda p: not p.is_hill)


def _sign(piece: Terrain) -> str:
    own = own_kind(piece)
    if own is not None:
        return own.sign
    return str(piece.level or 1) if piece.is_hill else SIGNS.get(piece.kind, ELSEWHERE)


def _signs(battle: Battle) -> list[str]:
    """Return what the signs of the ground mean, in a line; none on bare ground."""
    kinds: dict[str, dict[str, None]] = {}
    for piece in _pieces(battle):
        sign = "digits" if piece.is_hill else f"'{_sign(piece)}'"
        kinds.setdefault(sign, {})["the levels of hills" if piece.is_hill else plain(piece.kind)] = None
    told = ", ".join(f"{sign} {' or '.join(names)}" for sign, names in kinds.items())
    return [paragraph(f"Ground: {told}.")] if told else []


def _letters(battle: Battle) -> dict[str, str]:
    letters = {}
    for side, alphabet in zip(battle.setup.sides, LETTERS, strict=False):
        for number, unit in enumerate(battle.side(side)):
            letters[unit.id] = alphabet[number] if number < len(alphabet) else MANY
    return {unit.id: letters.get(unit.id, MANY) for unit in battle.units}


def _legend(battle: Battle, letters: dict[str, str]) -> list[str]:
    return [
        paragraph(f"{side_name(side)}: {', '.join(_entry(u, letters) for u in battle.side(side))}.")
        for side in battle.setup.sides
    ] + [paragraph(line) for line in _ground_lines(battle)]


def _ground_lines(battle: Battle) -> list[str]:
    """Return a line for each kind of terrain that the rule set defines, and for each trait of terrain."""
    pieces = battle.table.terrain
    kinds = {kind.name: f"{kind.sign} {kind.name}: {kind.about}." for p in pieces if (kind := own_kind(p)) is not None}
    traits: dict[str, tuple[str, list[str]]] = {}
    for piece in pieces:
        for trait in traits_on(battle, piece):
            traits.setdefault(trait.name, (trait.line, []))[1].append(piece.name or piece.id)
    return [*kinds.values(), *(f"{line} ({', '.join(names)})." for line, names in traits.values())]


def _entry(unit: Unit, letters: dict[str, str]) -> str:
    return f"{letters[unit.id]} {unit.called}"
