"""Palettes: sides can be told apart by every kind of eye the palette is for, and by their borders always."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from tabletop.render.drawing import theme
from tabletop.render.settings.model import CHOICES

#: What eyes without one kind of cone see of red, green and blue light (Machado, Oliveira, Fernandes 2009, severity 1).
EYES = {
    "all": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    yield
    theme.apply_theme("plain")


def lab(colour: str, eye: str) -> np.ndarray:
    """Return a colour as an eye sees it, in CIE Lab."""
    part = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    x = XYZ @ np.clip(EYES[eye] @ light, 0, 1) / WHITE
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def nearest(palette: str, eye: str) -> float:
    """Return how far apart the two most alike sides look."""
    theme.apply_theme(palette)
    fills = [row["fill"] for row in theme.theme()["sides"]["colours"].values()]
    return min(float(np.linalg.norm(lab(a, eye) - lab(b, eye))) for a, b in combinations(fills, 2))


@pytest.mark.parametrize(
    ("palette", "eye", "least"),
    [("plain", "all", 25), ("plain", "protan", 15), ("plain", "deutan", 15), ("tritanopia", "tritan", 25)]
    + [("grey", eye, 10) for eye in EYES],
)
def test_sides_look_different_to_the_eyes_a_palette_is_for(palette: str, eye: str, least: float) -> None:
    assert nearest(palette, eye) >= least


def test_the_usual_colours_would_not_do_for_the_eyes_the_other_palette_is_for() -> None:
    assert nearest("plain", "tritan") < 20


@pytest.mark.parametrize("palette", CHOICES["palette"])
def test_every_side_has_a_border_of_its_own(palette: str) -> None:
    theme.apply_theme(palette)
    rows = theme.theme()["sides"]["colours"].values()
    assert len({row["border"] for row in rows}) == len(rows)


def test_a_palette_changes_sides_and_marks_of_verdicts_at_once() -> None:
    before, role = theme.side_styles(["french"])["french"], theme.role_style("witness")
    theme.apply_theme("grey")
    assert theme.side_styles(["french"])["french"].fill == "#3c3c3c"
    assert theme.role_style("witness").colour == theme.grey_of(role.colour)
    theme.apply_theme("plain")
    assert theme.side_styles(["french"])["french"] == before


def test_there_is_no_other_palette() -> None:
    with pytest.raises(KeyError):
        theme.apply_theme("pink")
    assert theme.current_palette() == "plain"


def test_symbols_are_period_marks_or_cards_nothing_else() -> None:
    theme.apply_theme("plain", "nato")
    assert theme.symbols() == "nato"
    with pytest.raises(KeyError, match="runes"):
        theme.apply_theme("plain", "runes")
