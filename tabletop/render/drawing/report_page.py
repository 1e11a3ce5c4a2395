"""The report of a battle as one page for a browser: maps of key moments, a timeline of losses, and the narrative.

The page is self-contained. It stores the ground once; each map lays the units of its moment over it.
"""

from __future__ import annotations

import base64
from dataclasses import replace
from html import escape
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, side_name
from tabletop.errors import BadQuestion
from tabletop.play.environment import counted_in, noun
from tabletop.play.files.writing import write_whole
from tabletop.play.saves.report import Chapter, Report, Tally, heading, losses, who
from tabletop.render.drawing.loss_chart import loss_chart
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.drawing.scene import name_layer, terrain_layer, unit_layer
from tabletop.render.drawing.svg import svg
from tabletop.render.drawing.theme import colour

#: Pixels of a map's longer side, and the most maps a page shows besides the first and the last.
LONG_SIDE = 1000
MOST_MAPS = 8

_STYLE = """
:root { color-scheme: light; }
body { font: 17px/1.5 Georgia, 'DejaVu Serif', serif; color: INK; background: PAPER; margin: 0; }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; border-top: 1px solid #b9b2a3; padding-top: 1.2rem; margin: 2.2rem 0 .6rem; }
p.outcome { font-size: 1.2rem; font-weight: bold; }
ol { list-style: none; padding: 0; margin: 0; }
li { padding-left: 3.2rem; text-indent: -3.2rem; margin: .2rem 0; }
li b { display: inline-block; width: 3.2rem; text-indent: 0; font-weight: normal; opacity: .6;
  font-variant-numeric: tabular-nums; }
figure { margin: 1.2rem 0; }
figcaption { font-size: .9rem; opacity: .75; }
.map { background: url("GROUND") 0 0 / 100% 100% no-repeat; border: 1px solid #6b6558; max-width: WIDTHpx;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.map img { display: block; width: 100%; height: auto; }
.chart { width: 100%; height: auto; font-family: Verdana, 'DejaVu Sans', sans-serif; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .15rem .9rem .15rem 0; border-bottom: 1px solid #d6cfbf; }
@media print { h2, figure { break-inside: avoid; } main { max-width: none; } }
"""


def write_page(path: Path, report: Report) -> None:
    """Write the page; BadQuestion if that fails, leaving no partial file."""
    try:
        write_whole(path, page(report).encode())
    except OSError as lack:
        reason = lack.strerror or str(lack)
        raise BadQuestion(
            f"{path}: cannot be written ({reason}); name a folder that exists and may be written"
        ) from lack


def page(report: Report) -> str:
    """Return the whole page as HTML."""
    title = escape(report.header.title or "A battle")
    shown, lost = _key_chapters(report), f"{capital(counted_in(report.end))}s"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_style(report.battles[0])}</style></head><body><main>",
        f"<h1>{title}</h1>",
        *(f"<p>{escape(line)}</p>" for line in who(report)),
        f'<p class="outcome">{escape(report.outcome)}</p>',
        f"<figure>{loss_chart(report)}<figcaption>{lost} lost, action by action.</figcaption></figure>",
        _table(report),
        _map(report.battles[0], "As it began"),
    ]
    for chapter in report.chapters:
        parts += _chapter(report, chapter, chapter in shown)
    return "\n".join([*parts, "</main></body></html>", ""])


def _style(battle: Battle) -> str:
    ground = _data(replace(terrain_layer(battle), scale=_scale(battle), background=colour("page", "paper")))
    words = {"INK": colour("page", "ink"), "PAPER": "#fbf8f1", "GROUND": ground}
    words["WIDTH"] = str(round(battle.table.width * _scale(battle)))
    text = _STYLE
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _scale(battle: Battle) -> float:
    """Return the scale of the maps in pixels a unit: as large as the page allows."""
    table = battle.table
    return min(LONG_SIDE / max(table.width, table.height), 800 / table.width)


def _data(drawing: Drawing) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg(drawing).encode()).decode()


def _key_chapters(report: Report) -> list[Chapter]:
    """Return the turns whose end is shown on a map: the costliest ones, and the last."""
    before = dict.fromkeys(report.sides, 0)
    costs: list[tuple[int, int]] = []
    for k, chapter in enumerate(report.chapters):
        cost = sum(chapter.tally.bases[side] - before[side] for side in report.sides)
        costs.append((-cost, k))
        before = dict(chapter.tally.bases)
    dearest = [k for _, k in sorted(costs[:-1])[:MOST_MAPS]]
    return [report.chapters[k] for k in (*dearest, len(report.chapters) - 1)]


def _map(battle: Battle, caption: str) -> str:
    units = replace(unit_layer(battle), scale=_scale(battle))
    names = name_layer(battle, _scale(battle), size=11.0)
    over = names.over(units, replace(names, layers=(objective_layer(battle),)))
    alt = escape(f"Map: {caption.lower()}")
    image = f'<div class="map"><img alt="{alt}" src="{_data(over)}"></div>'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _chapter(report: Report, chapter: Chapter, with_map: bool) -> list[str]:
    entries = [f"<li><b>{entry.n or ''}</b>{escape(' '.join(entry.sentences))}</li>" for entry in chapter.entries]
    parts = [f"<h2>{escape(heading(chapter))}</h2>", "<ol>", *entries, "</ol>"]
    parts += [f"<p>{escape(' '.join(losses(report, chapter.tally)))}</p>"]
    if with_map:
        parts.append(_map(report.battles[chapter.last], f"At the end of turn {chapter.turn}"))
    return parts


def _table(report: Report) -> str:
    """Return the losses by turn as a table, for readers who prefer figures."""
    heads = "".join(f"<th>{escape(side_name(side))}</th>" for side in report.sides)
    rows = [
        f"<tr><td>{escape(heading(chapter))}</td>{_cells(report, chapter.tally)}</tr>" for chapter in report.chapters
    ]
    lost = "Bases lost (units)" if counted_in(report.end) == "base" else f"{capital(noun(report.end))}s lost"
    return f"<table><tr><th>{lost} by the end of</th>{heads}</tr>{''.join(rows)}</table>"


def _cells(report: Report, tally: Tally) -> str:
    based = counted_in(report.end) == "base"
    lost = (f"{tally.bases[side]} ({tally.units[side]})" if based else f"{tally.units[side]}" for side in report.sides)
    return "".join(f"<td>{cell}</td>" for cell in lost)
