"""The map of the packages, drawn from what imports what.

    python -m tools.package_map    # writes docs/pictures/packages.svg

Rows are the layers of the import contract in ``pyproject.toml``, the top one importing those below. An arc on the
right leads from a package down to each that it imports; those of neighbouring rows are straight.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape

from tools import house

PICTURE = house.ROOT / "docs/pictures/packages.svg"
#: Sizes in pixels: of a row, of the gap between two, of the boxes and their distance from the left edge.
ROW, GAP, WIDE, LEFT = 46, 26, 620, 16


def layers() -> list[str]:
    """Return the names of the packages, the topmost first, as the import contract has them."""
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
    names, step = layers(), ROW + GAP
    size = (LEFT + WIDE + 170, step * len(names) + 10)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" font-family="sans-serif">',
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#456"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for k, name in enumerate(names):
        y = 10 + k * step
        out.append(f'<rect x="{LEFT}" y="{y}" width="{WIDE}" height="{ROW}" rx="6" fill="#eef3f8" stroke="#456"/>')
        out.append(f'<text x="{LEFT + 12}" y="{y + 19}" font-size="15" font-weight="bold">{escape(name)}</text>')
        out.append(f'<text x="{LEFT + 12}" y="{y + 37}" font-size="12" fill="#333">{escape(purpose(name))}</text>')
    out += [_arrow(names.index(one), names.index(other)) for one, other in sorted(arrows())]
    return "\n".join([*out, "</svg>", ""])


def _arrow(one: int, other: int) -> str:
    """Return the arrow from one row to another."""
    step, style = ROW + GAP, 'fill="none" stroke="#456" stroke-opacity="0.6" marker-end="url(#tip)"'
    if other == one + 1:
        y = 10 + one * step + ROW
        return f'<path d="M{LEFT + WIDE / 2},{y} V{y + GAP}" {style}/>'
    right, start, end = LEFT + WIDE, 10 + one * step + 0.7 * ROW, 10 + other * step + 0.3 * ROW
    out = right + 14 * abs(other - one)
    return f'<path d="M{right},{start:.0f} C{out},{start:.0f} {out},{end:.0f} {right},{end:.0f}" {style}/>'


def main() -> None:
    """Draw the map anew."""
    PICTURE.write_text(drawing(), "utf-8")
    print(f"wrote {PICTURE.relative_to(house.ROOT)}")


if __name__ == "__main__":
    main()
