"""The map of the packages, drawn from their imports.

    python -m tools.package_map    # writes docs/pictures/packages.svg

Rows are the layers of the import contract in ``pyproject.toml``, numbered from the top. The dots of a row are in the
columns of the packages that it imports: all to the right of the diagonal, because imports go downwards only.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape

from tools import house

PICTURE = house.ROOT / "docs/pictures/packages.svg"
#: Sizes in pixels: a row, the gap between two, the boxes, their distance from the left edge, a column.
ROW, GAP, WIDE, LEFT, COLUMN = 46, 8, 640, 16, 26


def layers() -> list[str]:
    """Return the names of the packages, the topmost first, as in the import contract."""
    contracts = tomllib.loads((house.ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [name.strip() for row in rows for name in row.split("|")]


def arrows() -> set[tuple[str, str]]:
    """Return which package imports which."""
    names = layers()

    def package(module: str) -> str:
        return next((name for name in names if module == name or module.startswith(f"{name}.")), "")

    pairs = {(package(one), package(other)) for one, others in house.graph().items() for other in others}
    return {(one, other) for one, other in pairs if one and other and one != other}


def purpose(package: str) -> str:
    """Return the first sentence of the docstring of a package or module."""
    text = ast.get_docstring(house.tree(house.modules()[package])) or ""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")


def drawing() -> str:
    """Return the map as SVG."""
    names, pairs = layers(), arrows()
    wide, high = LEFT + WIDE + 20 + COLUMN * (len(names) + 1), 36 + (ROW + GAP) * len(names)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_column(0) - 10}" y="12" font-size="11">imports number ...</text>',
        *(f'<text x="{_column(k)}" y="27" {_NUMBER}>{k + 1}</text>' for k in range(len(names))),
    ]
    for k, name in enumerate(names):
        out += _row(k, name, [names.index(other) for one, other in sorted(pairs) if one == name])
    return "\n".join([*out, "</svg>", ""])


_NUMBER = 'font-size="12" text-anchor="middle" fill="#456"'


def _column(k: int) -> int:
    """Return the position of a column."""
    return LEFT + WIDE + 30 + COLUMN * k


def _row(k: int, name: str, imports: list[int]) -> list[str]:
    """Return the drawing of a package: its box, its number on the diagonal, and a dot for each package it imports."""
    y = 34 + k * (ROW + GAP)
    middle = y + ROW // 2
    return [
        f'<rect x="{LEFT}" y="{y}" width="{WIDE}" height="{ROW}" rx="6" fill="#eef3f8" stroke="#456"/>',
        f'<text x="{LEFT + 12}" y="{y + 19}" font-size="15" font-weight="bold">{k + 1}  {escape(name)}</text>',
        f'<text x="{LEFT + 12}" y="{y + 37}" font-size="12" fill="#333">{escape(purpose(name))}</text>',
        f'<path d="M{LEFT + WIDE},{middle} H{_column(max(imports, default=k))}" stroke="#cdd8e3"/>',
        f'<text x="{_column(k)}" y="{middle + 4}" {_NUMBER}>{k + 1}</text>',
        *(f'<circle cx="{_column(imported)}" cy="{middle}" r="6" fill="#456"/>' for imported in sorted(imports)),
    ]


def main() -> None:
    """Draw the map."""
    PICTURE.write_text(drawing(), "utf-8")
    print(f"wrote {PICTURE.relative_to(house.ROOT)}")


if __name__ == "__main__":
    main()
