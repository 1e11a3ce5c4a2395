"""The list beside the table: what may be chosen now, each row with the reason where it is not open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.battle.unit import Unit
from tabletop.render import descriptions
from tabletop.render.battle import eligible, words
from tabletop.render.battle.desk import GameDesk
from tabletop.render.battle.phrases import phrase
from tabletop.rules.play import Choice

#: Rows of a list before the rest is only counted; actions to choose from.
MOST, OFFERED = 12, 9


@dataclass(frozen=True)
class Row:
    """One row: the word it sends ("" for a heading), its label, a note beside it, and whether it can be pressed.

    ``rule`` is the id behind the note: where there is little room the note is cut, never the rule.
    """

    word: str
    label: str
    note: str = ""
    open: bool = True
    strong: bool = False
    rule: str = ""


def rows(desk: GameDesk) -> tuple[Row, ...]:
    """Return the rows for what stands now."""
    if not desk.human_turn or desk.battle.pending:
        return ()
    if desk.proposal is not None:
        return _confirming(desk)
    unit = desk.acting_unit
    if desk.refused is not None and unit is not None and desk.drag is None:
        return tuple(_refused(desk, unit))
    if desk.between or (desk.picked is not None and (desk.drag is None or desk.offers)):
        return tuple(_choosing(desk))
    if desk.drag is not None:
        return _in_hand(desk)
    if unit is not None and desk.may_act(unit):
        return tuple(menu(desk, unit))
    return tuple(_everybody(desk))


def _confirming(desk: GameDesk) -> tuple[Row, ...]:
    assert desk.proposal is not None
    label = phrase(desk.battle, desk.proposal.action)
    return Row("", label), Row("confirm:", "Do it  (Enter)", strong=True), Row("back:", "Back  (Esc)")


def _refused(desk: GameDesk, unit: Unit) -> Iterator[Row]:
    """Yield what can be done about a refusal; its reasons have the room of the menu."""
    what = words.label(desk.battle, desk.tried.action.kind) if desk.tried is not None else ""
    yield Row("", f"Not allowed: {what + ', ' if what else ''}{unit.called}")
    if desk.nearest is not None:
        yield Row("nearest:", "As near as allowed  (Enter)", strong=True)
    for number, action in enumerate(desk.between[:OFFERED]):
        yield Row(f"offer:{number}", f"{number + 1}   {phrase(desk.battle, action)}", strong=True)
    yield Row("back:", "Back  (Esc)")


def _in_hand(desk: GameDesk) -> tuple[Row, ...]:
    assert desk.drag is not None
    label = words.label(desk.battle, desk.action)
    return (
        Row("", f"{label}: {desk.drag.unit.called}"),
        *_settings(desk),
        Row("release:", "Put down here  (Enter)", strong=True),
        Row("back:", "Back  (Esc)"),
    )


def _settings(desk: GameDesk) -> Iterator[Row]:
    """Yield what of the action in hand can be set, each row going on to the next value."""
    for found in desk.adjustments:
        if found.how not in ("shift", "back"):
            yield Row(f"set:{found.option}", found.label, words.setting(desk, found))
    if desk.unit is not None and "path" in eligible.kind_of(desk.battle, desk.doing).needs:
        yield Row("way:", "Way  (W)", desk.way)


def settles(desk: GameDesk) -> bool:
    """Return whether the kind picked is done as it is set: it goes nowhere and is done to nobody."""
    unit, kind = desk.acting_unit, desk.picked
    if unit is None or kind is None or desk.drag is not None or not desk.adjustments:
        return False
    return not {"path", "target"} & set(eligible.kind_of(desk.battle, kind).needs)


def _choosing(desk: GameDesk) -> Iterator[Row]:
    """Yield the actions to choose from."""
    unit = desk.acting_unit
    name = unit.called if unit else ""
    heading = words.label(desk.battle, desk.picked) if desk.picked else "Which"
    yield Row("", f"{heading}: {name}")
    if desk.picked is not None:
        yield from _settings(desk)
    if desk.drag is not None:
        yield Row("release:", "Put down here  (Enter)", strong=True)
    elif settles(desk):
        yield Row("settle:", "Do it so  (Enter)", strong=True)
    for number, action in enumerate(desk.offers[:OFFERED]):
        yield Row(f"offer:{number}", f"{number + 1}   {phrase(desk.battle, action)}")
    yield Row("back:", "Back  (Esc)")


def menu(desk: GameDesk, unit: Unit) -> Iterator[Row]:
    """Yield every kind of action of a unit, before it the choice of its group where that comes first.

    Where one reason closes them all, the text beside says it once, and there are no rows.
    """
    shut = words.shut(desk)
    yield Row("", f"{unit.called}: nothing now" if shut else f"Actions of {unit.called}")
    group = next((g for g in desk.groups if g.id == unit.id or any(u.id == unit.id for u in g.members)), None)
    if group is not None:
        yield Row(f"group:{group.id}", f"Let {words.group(group)} act  (Enter)", strong=True)
    for choice in () if shut else desk.menu:
        yield _kind(desk, unit, choice)
    if group is None:
        yield from _ends(desk)


def _kind(desk: GameDesk, unit: Unit, choice: Choice) -> Row:
    word, label = f"kind:{choice.kind}", words.label(desk.battle, choice.kind)
    if choice.open:
        return Row(word, label, words.how(desk.battle, choice.kind, unit))
    note, rule = words.why_closed(choice, unit)
    return Row(word, label, note, open=False, rule=rule)


def _everybody(desk: GameDesk) -> Iterator[Row]:
    """Yield the groups that may be chosen, or the units that may act; then what ends it."""
    if desk.groups:
        yield Row("", f"{desk.whose}: who acts?")
        for group in desk.groups[:MOST]:
            yield Row(f"group:{group.id}", words.group(group), words.still(group))
    else:
        yield from _idle(desk)
    yield from _ends(desk)


def _ends(desk: GameDesk) -> Iterator[Row]:
    """Yield what ends the turn of the group that acts, or the phase."""
    for number, action in enumerate(desk.endings):
        yield Row(f"end:{number}", words.label(desk.battle, action.kind), strong=True)


def _idle(desk: GameDesk) -> Iterator[Row]:
    battle = desk.battle
    group = eligible.acting(battle)
    units = group.members if group else tuple(u for u in battle.units if u.id in desk.ready)
    yield Row("", f"{words.group(group)}: still to act" if group else f"{desk.whose}: may act")
    for unit in units[:MOST]:
        yield Row(f"unit:{unit.id}", unit.called, descriptions.state(battle, unit))
    if len(units) > MOST:
        yield Row("", f"and {len(units) - MOST} more")
