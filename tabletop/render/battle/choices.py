"""The list beside the table: what the player can choose now, with the reason why a row is closed.

The action of Enter is on the main button only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.play.families import headline, outlook
from tabletop.render import descriptions
from tabletop.render.battle import eligible, shape, words
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.offers import offers
from tabletop.render.battle.phrases import phrase
from tabletop.render.battle.prospects import odds_of
from tabletop.rules.play import Choice

#: Suggested actions in a list; rows chosen by digit.
OFFERED, MOST_NUMBERED = 9, 9
#: Rows that have their own keys.
BY_KEY = frozenset({"settle", "back", "way"})


@dataclass(frozen=True)
class Row:
    """A row: the word it sends ("" for a heading), its label, a note beside it, and whether it can be pressed.

    ``rule`` is the id behind the note; where room is short, the note is cut but never the rule. ``faint``: drawn grey
    though it can be pressed. ``number``: the digit that chooses it, 0 for none. ``stays``: on every page of its list.
    """

    word: str
    label: str
    note: str = ""
    open: bool = True
    strong: bool = False
    rule: str = ""
    faint: bool = False
    number: int = 0
    stays: bool = False

    @property
    def written(self) -> str:
        """The label with its number."""
        return f"{self.number}   {self.label}" if self.number else self.label


def rows(model: GameModel) -> tuple[Row, ...]:
    """Return the rows for the present state, with digits for those that can be pressed."""
    return tuple(_numbered(_rows(model)))


def _numbered(all_rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows with the digits that choose them; rows that have their own keys get none.

    Suggestions are numbered first, because their numbers are also drawn on the table.
    """
    chosen = [row for row in all_rows if row.word and row.open and row.word.partition(":")[0] not in BY_KEY]
    words_ = [row.word for row in sorted(chosen, key=lambda row: not row.word.startswith("offer:"))]
    numbers = {word: number for number, word in enumerate(words_[:MOST_NUMBERED], 1)}
    yield from (replace(row, number=numbers.get(row.word, 0)) for row in all_rows)


def _rows(model: GameModel) -> tuple[Row, ...]:
    if not model.facts.human_turn or model.table.battle.pending:
        return ()
    if model.chosen.proposal is not None:
        return _confirming(model)
    unit = model.acting_unit
    if model.chosen.refused is not None and unit is not None and model.table.drag is None:
        return tuple(_refused(model, unit))
    if model.chosen.between or (model.chosen.picked is not None and (model.table.drag is None or offers(model))):
        return tuple(_choosing(model))
    if model.table.drag is not None:
        return _in_hand(model)
    if unit is not None and model.may_act(unit):
        return tuple(menu(model, unit))
    return tuple(_everybody(model))


def _confirming(model: GameModel) -> tuple[Row, ...]:
    assert model.chosen.proposal is not None
    label = phrase(model.table.battle, model.chosen.proposal.action)
    return Row("", label), Row("back:", "Back  (Esc)")


def _refused(model: GameModel, unit: Unit) -> Iterator[Row]:
    """Yield the heading of a refusal and what the player can do about it."""
    refused = model.chosen.refused_move
    what = words.label(model.table.battle, refused.action.kind) if refused is not None else ""
    yield Row("", f"Not allowed: {what + ', ' if what else ''}{unit.called}")
    for number, action in enumerate(model.chosen.between[:OFFERED]):
        yield Row(f"offer:{number}", phrase(model.table.battle, action), strong=True)
    yield Row("back:", "Back  (Esc)")


def _in_hand(model: GameModel) -> tuple[Row, ...]:
    assert model.table.drag is not None
    label = words.label(model.table.battle, model.table.action)
    return (
        Row("", f"{label}: {model.table.drag.unit.called}"),
        *_settings(model),
        Row("back:", "Back  (Esc)"),
    )


def _settings(model: GameModel) -> Iterator[Row]:
    """Yield a row for each setting of the action in hand; pressing it goes to the next value."""
    for adjustment in shape.adjustments(model):
        if adjustment.how not in ("shift", "back"):
            yield Row(f"set:{adjustment.option}", adjustment.label, words.setting(model, adjustment))
    if model.table.unit is not None and "path" in eligible.kind_of(model.table.battle, shape.doing(model)).needs:
        yield Row("way:", "Way  (W)", model.chosen.way)


def settles(model: GameModel) -> bool:
    """Return whether the chosen kind of action needs only its settings: no path and no target."""
    unit, kind = model.acting_unit, model.chosen.picked
    if unit is None or kind is None or model.table.drag is not None or not shape.adjustments(model):
        return False
    return not {"path", "target"} & set(eligible.kind_of(model.table.battle, kind).needs)


def _choosing(model: GameModel) -> Iterator[Row]:
    """Yield the suggested actions to choose from."""
    unit = model.acting_unit
    name = unit.called if unit else ""
    heading = words.label(model.table.battle, model.chosen.picked) if model.chosen.picked else "Which"
    yield Row("", f"{heading}: {name}")
    if model.chosen.picked is not None:
        yield from _settings(model)
    if settles(model) and model.chosen.between:
        yield Row("settle:", "Do it so  (Enter)", strong=True)
    for number, action in enumerate(offers(model)[:OFFERED]):
        yield _offer(model, number, action)
    yield Row("back:", "Back  (Esc)")


def _offer(model: GameModel, number: int, action: Action) -> Row:
    """Return the row of a suggested action, beginning with its odds where dice are thrown.

    An action certain to be wasted is grey with its result beside it; it can still be chosen, and sometimes must be.
    """
    odds = odds_of(model, action) if action.target is not None else None
    if odds is None:
        return Row(f"offer:{number}", phrase(model.table.battle, action))
    if outlook(odds).wasted:
        return Row(f"offer:{number}", phrase(model.table.battle, action), headline(odds), faint=True)
    return Row(f"offer:{number}", f"{headline(odds)}: {phrase(model.table.battle, action)}")


def menu(model: GameModel, unit: Unit) -> Iterator[Row]:
    """Yield every kind of action of a unit, preceded by the choice of its group where that must come first.

    Where one reason closes all of them there are no rows: the text beside the list states the reason.
    """
    shut = words.shut(model)
    yield Row("", f"{unit.called}: nothing now" if shut else f"Actions of {unit.called}")
    group = next((g for g in model.facts.groups if g.id == unit.id or any(u.id == unit.id for u in g.members)), None)
    if group is not None:
        yield Row(f"group:{group.id}", f"Let {words.group(group)} act  (Enter)", strong=True)
    for choice in () if shut else model.menu:
        yield _kind(model, unit, choice)
    if group is None:
        yield from _ends(model)


def _kind(model: GameModel, unit: Unit, choice: Choice) -> Row:
    word, label = f"kind:{choice.kind}", words.label(model.table.battle, choice.kind)
    if choice.open:
        return Row(word, label, words.how(model.table.battle, choice.kind, unit))
    note, rule = words.why_closed(choice, unit)
    return Row(word, label, note, open=False, rule=rule)


def _everybody(model: GameModel) -> Iterator[Row]:
    """Yield the groups that may be chosen, or the units that may act; then the actions that end the turn or phase."""
    if model.facts.groups:
        yield Row("", f"{model.facts.whose}: who acts?")
        for group in model.facts.groups:
            yield Row(f"group:{group.id}", words.group(group), words.still(group))
    else:
        yield from _idle(model)
    yield from _ends(model)


def _ends(model: GameModel) -> Iterator[Row]:
    """Yield the actions that end the acting group's turn, or the phase."""
    for number, action in enumerate(model.facts.endings):
        yield Row(f"end:{number}", words.label(model.table.battle, action.kind), stays=True)


def _idle(model: GameModel) -> Iterator[Row]:
    battle = model.table.battle
    group = eligible.acting(battle)
    units = group.members if group else tuple(u for u in battle.units if u.id in model.facts.ready)
    yield Row("", f"{words.group(group)}: still to act" if group else f"{model.facts.whose}: may act")
    for unit in units:
        yield Row(f"unit:{unit.id}", unit.called, descriptions.state(battle, unit))
