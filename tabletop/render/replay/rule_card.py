"""The dialog with a rule's card: what it says, its source, its reading here, its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.battle.battle import Battle
from tabletop.render.screens import Back, Look, Maker
from tabletop.render.widgets.links import MOST
from tabletop.render.widgets.pages.brush import height_of
from tabletop.render.widgets.pages.sheet import HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words
from tabletop.rules.cards import RuleCard, rule_card
from tabletop.rules.rule_set import Ruling

#: Design pixels between two parts.
APART = 10.0


def ruled(id: str, battle: Battle) -> Maker:  # noqa: A002 - the files' own word
    """Return the function that makes the dialog of a rule; for an unknown id it says that there is no such rule."""
    card = rule_card(battle.rules, id) or RuleCard(id, "These rules have no such rule.")
    return lambda look: Ruled(look, card, battle)


class Ruled(Over):
    """The card of a rule."""

    usual = "done"
    wide = 620.0

    def __init__(self, look: Look, card: RuleCard, battle: Battle) -> None:
        super().__init__(look)
        self.parts = tuple(_parts(card, battle))
        self.title = f"Rule {card.id}"
        self.turn_to("done")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return the title, the parts of the card, and the Back button."""
        stacked = [(42.0, Spot((0, 0, wide, 30), words(self.title, 22, "place")))]
        for part, ink in self.parts:
            high = height_of(part, wide)
            stacked.append((high + APART, Spot((0, 0, wide, high + 2), text(part, 15, ink))))
        return [*stacked, (HIGH, Spot((0, 0, wide, HIGH), button("Back", True), "done", "Back to the replay (Esc)"))]

    def did(self, word: str) -> None:
        """Go back."""
        self.going = Back()


def _parts(card: RuleCard, battle: Battle) -> Iterator[tuple[str, str]]:
    """Yield the parts of the card, each with its ink."""
    yield card.says, "ink"
    if card.sections:
        yield f"Rulebook: {'; '.join(card.sections)}.", "quiet"
    for ruling in card.rulings:
        yield _read(ruling, battle), "ink"
    left = len(card.numbers) - MOST
    for number in card.numbers[:MOST]:
        yield number, "quiet"
    if left > 0:
        yield f"and {left} more", "quiet"


def _read(ruling: Ruling, battle: Battle) -> str:
    now = battle.rulings.get(ruling.name, ruling.default)
    others = ", ".join(_word(value) for value in ruling.values if value != now) or "none"
    name = ruling.name.replace("_", " ")
    return f"As ruled, {name}: {ruling.meaning} Here: {_word(now)}. The other reading: {others}."


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
