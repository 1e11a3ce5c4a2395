"""The timeline of losses: bases lost by each side, action by action, as a small vector picture."""

from __future__ import annotations

from html import escape

from tabletop.battle.naming import capital, side_name
from tabletop.play.environment import counted_in
from tabletop.play.saves.report import Report
from tabletop.render.drawing.svg import number
from tabletop.render.drawing.theme import colour, side_styles

WIDE, HIGH = 860, 280
LEFT, RIGHT, TOP, BOTTOM = 46, 110, 18, 40
#: Dashes that distinguish the sides without colour.
_DASHES = ("", "7 4", "2 4", "10 3 2 3")


def loss_chart(report: Report) -> str:
    """Return the chart as SVG text: turns along the bottom, losses up the side, one stepped line for each side."""
    ink, faint = colour("page", "ink"), "#b9b2a3"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" class="chart">',
        f"<title>{capital(counted_in(report.end))}s lost by each side: {escape(report.header.title)}</title>",
        *_grid(report, ink, faint),
        *_lines(report),
        f'<text x="{LEFT}" y="12" fill="{ink}" font-size="12">{counted_in(report.end)}s lost</text>',
        "</svg>",
    ]
    return "\n".join(parts)


def _most(report: Report) -> int:
    """Return the top of the scale: the highest loss, rounded up to something easy to read."""
    most = max((max(tally.bases.values(), default=0) for tally in report.tallies), default=0)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1_000_000) if most <= 5 * step)
    return step * max(2, -(-most // step))


def _x(report: Report, n: int) -> float:
    return LEFT + (WIDE - LEFT - RIGHT) * n / max(1, len(report.tallies) - 1)


def _y(lost: int, most: int) -> float:
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * lost / most


def _grid(report: Report, ink: str, faint: str) -> list[str]:
    most = _most(report)
    step = max(1, most // 5)
    parts = []
    for lost in range(0, most + 1, step):
        y = number(_y(lost, most))
        parts.append(f'<path d="M{LEFT} {y}H{WIDE - RIGHT}" stroke="{faint}" stroke-width="0.7"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y}" dy="4" text-anchor="end" fill="{ink}" font-size="12">{lost}</text>')
    start = 0
    for chapter in report.chapters:
        left, right = _x(report, start), _x(report, chapter.last)
        parts.append(f'<path d="M{number(right)} {TOP}V{HIGH - BOTTOM}" stroke="{faint}" stroke-width="0.7"/>')
        where = f'x="{number((left + right) / 2)}" y="{HIGH - BOTTOM + 18}" text-anchor="middle"'
        parts.append(f'<text {where} fill="{ink}" font-size="12">{chapter.turn}</text>')
        start = chapter.last
    middle = (LEFT + WIDE - RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{HIGH - 4}" text-anchor="middle" fill="{ink}" font-size="12">turn</text>')
    return parts


def _lines(report: Report) -> list[str]:
    styles, most = side_styles(report.sides), _most(report)
    parts = []
    ends = _ends(report, most)
    for k, side in enumerate(report.sides):
        path, lost = f"M{LEFT} {number(_y(0, most))}", 0
        for tally in report.tallies:
            if tally.bases[side] != lost:
                lost = tally.bases[side]
                path += f"H{number(_x(report, tally.n))}V{number(_y(lost, most))}"
        path += f"H{WIDE - RIGHT}"
        dash = f' stroke-dasharray="{_DASHES[k % 4]}"' if _DASHES[k % 4] else ""
        pen = f'stroke="{styles[side].deep}" stroke-width="2.4"{dash}'
        parts.append(f'<path d="{path}" fill="none" {pen}/>')
        words = f"{side_name(side)} {report.tallies[-1].bases[side]}"
        where = f'x="{WIDE - RIGHT + 8}" y="{number(ends[side])}" dy="4"'
        parts.append(f'<text {where} fill="{styles[side].deep}" font-size="13">{escape(words)}</text>')
    return parts


def _ends(report: Report, most: int) -> dict[str, float]:
    """Return the height of each side's name: at its line's end, at least a line of text from the next."""
    places: dict[str, float] = {}
    for side in sorted(report.sides, key=lambda side: -report.tallies[-1].bases[side]):
        y = _y(report.tallies[-1].bases[side], most)
        taken = max(places.values(), default=-100.0)
        places[side] = max(y, taken + 16.0)
    return places
