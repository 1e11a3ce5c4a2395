"""Names for the places of a random landscape, made of common parts and each used once."""

from __future__ import annotations

from random import Random

_FIRST = (
    "Alten", "Birken", "Eichen", "Erlen", "Falken", "Hasel", "Hohen", "Kirch", "Linden", "Mühl", "Nieder", "Ober",
    "Reichen", "Sand", "Schön", "Stein", "Tannen", "Wald", "Weiss", "Winter",
)  # fmt: skip
_VILLAGE = ("au", "bach", "berg", "brunn", "dorf", "feld", "hain", "hausen", "heim", "ried", "rode", "stedt")
_HILL = ("Galgenberg", "Mühlberg", "Fuchsberg", "Weinberg", "Kapellenberg", "Hutberg", "Lerchenberg", "Rote Höhe",
         "Windberg", "Schafberg", "Kreuzberg", "Wachtberg", "Kahle Höhe", "Sandberg")  # fmt: skip
_WOOD = ("Hegeholz", "Buchholz", "Kirchenholz", "Fasanerie", "Eichholz", "Pfaffenholz", "Birkenholz", "Hasenholz",
         "Bauernholz", "Erlenbruch", "Tannicht", "Herrenholz", "Vogelherd", "Fuchsholz")  # fmt: skip
_BROOK = ("Schwarzbach", "Lauter", "Weissbach", "Rohrbach", "Mühlbach", "Krebsbach", "Wiesenbach", "Forellenbach")


class Names:
    """Supplies random names, each only once."""

    def __init__(self, rng: Random) -> None:
        villages = [first + last for first in _FIRST for last in _VILLAGE if first[-2:] != last[:2]]
        self._left = {"village": villages, "hill": list(_HILL), "wood": list(_WOOD), "brook": list(_BROOK)}
        for names in self._left.values():
            rng.shuffle(names)

    def village(self) -> str:
        return self._left["village"].pop()

    def hill(self) -> str:
        """Return the name of a hill, "" once all are used."""
        return self._next("hill")

    def wood(self) -> str:
        """Return the name of a wood, "" once all are used."""
        return self._next("wood")

    def brook(self) -> str:
        """Return the name of a brook, "" once all are used."""
        return self._next("brook")

    def _next(self, what: str) -> str:
        return self._left[what].pop() if self._left[what] else ""
