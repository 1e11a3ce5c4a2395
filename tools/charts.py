"""Charts as drawings: bars divided into shares, columns of counts, and curves; painted with the project's own
drawing code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Anchor, Area, Drawing, Item, Layer, Lines, Pen, Text

PAPER, INK, QUIET, RULE = "#fbf8f0", "#2b2620", "#6f665a", "#cdbf9f"
#: Background of the highlighted columns.
BAND = "#efe6cd"
#: Pixels: page margin, bar height and pitch, room between groups, letter sizes.
MARGIN, BAR, PITCH, GAP = 26.0, 19.0, 25.0, 15.0
BIG, NORMAL, SMALL = 18.0, 13.0, 11.5
#: A share narrower than this has no figure written in it.
NARROWEST = 27.0
WIDE = 940.0


@dataclass(frozen=True)
class Kind:
    """One kind of outcome: its name in the legend, and its colour."""

    name: str
    colour: str

    @property
    def ink(self) -> str:
        """Return the colour of figures written on it: dark on light, light on dark."""
        r, g, b = (int(self.colour[i : i + 2], 16) for i in (1, 3, 5))
        return INK if 0.3 * r + 0.59 * g + 0.11 * b > 140 else "#ffffff"


@dataclass(frozen=True)
class Bar:
    """One case: its label and the share of every kind, in order; they sum to 1."""

    label: str
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Group:
    """Cases under one heading."""

    heading: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Curve:
    """A curve through (x, y) points, both from 0 to 1, with its name beside it: above for the first curve."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: str


def bars(title: str, note: str, kinds: Sequence[Kind], groups: Sequence[Group]) -> Drawing:
    """Return bars of shares under headings, with a legend above them."""
    legend, legend_rows = _legend(kinds)
    rows = sum(len(group.bars) for group in groups)
    high = 2 * MARGIN + 52 + 20 * legend_rows + len(groups) * (PITCH + GAP) + rows * PITCH
    left = MARGIN + 10 + max(width(bar.label, NORMAL, "plain") for group in groups for bar in group.bars)
    items: list[Item] = [*_title(title, note, high), *(_moved(item, high - MARGIN - 62) for item in legend)]
    y = high - MARGIN - 62 - 20 * legend_rows - 4
    for group in groups:
        y -= PITCH
        items.append(Text((MARGIN, y), group.heading, NORMAL, INK, "bold", "start"))
        for bar in group.bars:
            y -= PITCH
            items += _bar(bar, kinds, left, y)
        y -= GAP
    return _sheet(title, items, high)


def _bar(bar: Bar, kinds: Sequence[Kind], left: float, y: float) -> list[Item]:
    items: list[Item] = [Text((left - 10, y), bar.label, NORMAL, INK, "plain", "end")]
    x, whole = left, WIDE - MARGIN - left
    for share, kind in zip(bar.shares, kinds, strict=True):
        wide = whole * share
        items.append(_box(x, y - BAR / 2, wide, BAR, kind.colour))
        if wide >= NARROWEST:
            items.append(Text((x + wide / 2, y), f"{100 * share:.0f}", SMALL, kind.ink))
        x += wide
    return items


def _legend(kinds: Sequence[Kind]) -> tuple[list[Item], int]:
    """Return the legend about y = 0, and how many rows it takes."""
    items: list[Item] = []
    x, row = MARGIN, 0
    for kind in kinds:
        wide = 20 + width(kind.name, SMALL, "plain") + 18
        if x + wide > WIDE - MARGIN + 18:
            x, row = MARGIN, row + 1
        items.append(_box(x, -20.0 * row - 6, 13, 12, kind.colour))
        items.append(Text((x + 19, -20.0 * row), kind.name, SMALL, INK, "plain", "start"))
        x += wide
    return items, row + 1


def curves(title: str, note: str, axes: tuple[str, str], start: float, found: Sequence[Curve]) -> Drawing:
    """Return curves over x from ``start`` to 1 and y from 0 to 1; ``axes`` name them."""
    high, left, low = 380.0, MARGIN + 46, MARGIN + 40
    wide, tall = WIDE - MARGIN - 20 - left, high - MARGIN - 66 - low

    def at(x: float, y: float) -> tuple[float, float]:
        return left + wide * (x - start) / (1.0 - start), low + tall * y

    items = _title(title, note, high)
    for k in range(6):
        x, y = start + k * (1.0 - start) / 5, k / 5
        items.append(Lines((((at(start, y)), at(1.0, y)),), Pen(RULE, 1.0)))
        items.append(Text((left - 8, low + tall * y), f"{100 * y:.0f}", SMALL, QUIET, "plain", "end"))
        items.append(Text((at(x, 0.0)[0], low - 14), f"{100 * x:.0f}", SMALL, QUIET))
    items.append(Text((left, low - 34), axes[0], SMALL, QUIET, "plain", "start"))
    items.append(Text((left, low + tall + 14), axes[1], SMALL, QUIET, "plain", "start"))
    for curve in found:
        points = tuple(at(x, y) for x, y in curve.points)
        items.append(Lines((points,), Pen(curve.colour, 3.0)))
        middle, above = points[2 * len(points) // 5], 16.0 if curve is found[0] else -16.0
        side: Anchor = "end" if curve is found[0] else "start"
        items.append(Text((middle[0], middle[1] + above), curve.name, NORMAL, curve.colour, "bold", side))
    return _sheet(title, items, high)


def columns(
    title: str, note: str, axes: tuple[str, str], kinds: Sequence[Kind], counts: Sequence[Sequence[int]], meant: range
) -> Drawing:
    """Return columns of counts by kind, the first for 1 on the x axis; those ``meant`` are highlighted by a band."""
    high, left, low = 380.0, MARGIN + 46, MARGIN + 40
    wide, tall = WIDE - MARGIN - 20 - left, high - MARGIN - 96 - low
    pitch, most = wide / len(counts), max(5, -(-max(map(sum, counts)) // 5) * 5)
    legend, _ = _legend(kinds)
    items = [*_title(title, note, high), *(_moved(item, high - MARGIN - 62) for item in legend)]
    items.append(_box(left + pitch * (meant[0] - 1), low, pitch * len(meant), tall, BAND))
    for count in range(0, most + 1, 5):
        y = low + tall * count / most
        items.append(Lines((((left, y), (left + wide, y)),), Pen(RULE, 1.0)))
        items.append(Text((left - 8, y), str(count), SMALL, QUIET, "plain", "end"))
    for number, column in enumerate(counts, 1):
        x = left + pitch * (number - 0.5)
        items.append(Text((x, low - 14), str(number), SMALL, QUIET))
        items += _column(column, kinds, (x, low), (0.7 * pitch, tall / most))
    items.append(Text((left, low - 34), axes[0], SMALL, QUIET, "plain", "start"))
    items.append(Text((left, low + tall + 14), axes[1], SMALL, QUIET, "plain", "start"))
    return _sheet(title, items, high)


def _column(
    column: Sequence[int], kinds: Sequence[Kind], foot: tuple[float, float], size: tuple[float, float]
) -> list[Item]:
    """Return one column above ``foot``; ``size`` is its width and its height per item."""
    items: list[Item] = []
    (x, y), (wide, each) = foot, size
    for count, kind in zip(column, kinds, strict=True):
        if count:
            items.append(_box(x - wide / 2, y, wide, each * count, kind.colour))
            y += each * count
    if sum(column):
        items.append(Text((x, y + 9), str(sum(column)), SMALL, INK))
    return items


def _title(title: str, note: str, high: float) -> list[Item]:
    return [
        Text((MARGIN, high - MARGIN - 6), title, BIG, INK, "bold", "start"),
        Text((MARGIN, high - MARGIN - 31), note, NORMAL, QUIET, "plain", "start"),
    ]


def _box(x: float, y: float, wide: float, tall: float, colour: str) -> Area:
    return Area((((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)),), colour)


def _moved(item: Item, up: float) -> Item:
    if isinstance(item, Area):
        return Area(tuple(tuple((x, y + up) for x, y in ring) for ring in item.rings), item.fill)
    assert isinstance(item, Text)
    return Text((item.at[0], item.at[1] + up), item.text, item.size, item.fill, item.face, item.anchor)


def _sheet(title: str, items: Sequence[Item], high: float) -> Drawing:
    return Drawing((Layer("chart", tuple(items)),), (0.0, 0.0, WIDE, high), 1.0, title, background=PAPER)
