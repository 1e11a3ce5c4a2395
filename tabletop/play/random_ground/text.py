"""A random landscape as the text of its map, as a wargamer would write it, one piece per line."""

from __future__ import annotations

from tabletop.battle.lengths import PER_INCH
from tabletop.play.files.file_text import number, written
from tabletop.play.random_ground.landscape import Landscape
from tabletop.play.random_ground.plan import length

#: The pieces under these headings, in this order.
GROUPS = (
    ("Heights", ("hill",)), ("Water", ("stream", "marsh")), ("Roads", ("road", "track", "bridge", "ford")),
    ("Villages", ("town", "hedge", "wall")), ("Woods", ("woods",)),
)  # fmt: skip


def map_text(landscape: Landscape, unit: str = "in") -> str:
    """Return the text of a landscape's map in a unit of length (in, mm or cm); KeyError for another."""
    per_inch, wanted = PER_INCH[unit], landscape.wanted
    size = {"unit": unit, "width": length(wanted.width, per_inch), "height": length(wanted.height, per_inch)}
    lines = [
        f"# Random ground from seed {wanted.seed}, fair to an army from the south and one from the north.",
        *(f"# {line}" for line in _measured(landscape)),
        "format: tabletop-map/1",
        f"title: {written(title(landscape))}",
        f"table: {written(size)}",
        "terrain:",
    ]
    for heading, kinds in GROUPS:
        rows = [piece.row(per_inch) for piece in landscape.pieces if piece.kind in kinds]
        lines += [f"  # {heading}", *(f"  - {written(row)}" for row in rows)] if rows else []
    return "\n".join(lines) + "\n"


def title(landscape: Landscape) -> str:
    """Return the title of the map, after the first village that is an objective, or else its seed."""
    village = next((each.name for each in landscape.objectives if each.id.startswith("village")), "")
    return f"The ground at {village}" if village else f"Random ground {landscape.wanted.seed}"


def _measured(landscape: Landscape) -> list[str]:
    lines = []
    for objective, (south, north) in zip(landscape.objectives, landscape.measures.travel, strict=True):
        place = f"({number(objective.at[0])}, {number(objective.at[1])})"
        lines.append(f"{objective.name} {place} in: {south:.1f} in of way from the south, {north:.1f} from the north.")
    for heading, (south, north) in (("Cover", landscape.measures.cover), ("High ground", landscape.measures.high)):
        lines.append(f"{heading}: {south:.0f} sq in in the southern half, {north:.0f} in the northern.")
    return lines
