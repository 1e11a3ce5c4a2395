"""A long game holds what happened, not what was worked out on the way: past battles keep their fields only."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from tabletop.battle import bygone
from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.battle.unit import Unit
from tabletop.play.saves import save
from tabletop.play.session import PRESENT, Session
from tests.play.kept_games import action, battle, played


def worked_out(value: Any) -> set[str]:
    """Return the names of what a frozen value holds beyond its fields."""
    return set(vars(value)) - {field.name for field in fields(value)}


def looked_at(now: Battle) -> None:
    """Work out what a screen does about everybody."""
    for unit in now.units:
        assert now.has(unit.id)
        _ = (unit.at, unit.footprint, unit.bounds, unit.fronts, unit.front_mid)
        _ = [base.polygon for base in unit.bases]


def watched(actions: int) -> Session:
    """Return a game with every battle looked at as it stood."""
    session, random = played(0), Random(3)
    for _ in range(actions):
        looked_at(session.battle)
        session.do(action(session.battle, random))
    looked_at(session.battle)
    return session


def gone(session: Session) -> list[tuple[Battle, list[Unit]]]:
    """Return past battles with their units that were otherwise in the next."""
    battles = [step.battle for step in session.steps]
    pairs = list(pairwise(battles))[: 1 - PRESENT]
    return [(past, [unit for unit in past.units if unit not in after.units]) for past, after in pairs]


def test_past_battles_hold_only_what_they_are() -> None:
    session = watched(25)
    pairs = gone(session)
    assert sum(len(units) for _, units in pairs) > 5
    for past, units in pairs:
        assert not worked_out(past)
        assert not any(worked_out(unit) for unit in units)


def test_who_stands_as_before_keeps_what_was_worked_out() -> None:
    session = watched(12)
    for past in (step.battle for step in session.steps):
        for unit in past.units:
            if any(unit is now for now in session.battle.units):
                assert {"footprint", "bounds"} <= worked_out(unit)


def test_bases_that_did_not_move_keep_their_shape() -> None:
    """A unit that only changed its marks stands on the same bases."""
    past = battle()
    looked_at(past)
    first, *rest = past.units
    after = past.with_unit(replace(first, marks={"acted": True}))
    shape = first.bases[0].polygon
    bygone.let_go(past, after)
    assert not worked_out(first) and first.bases[0].polygon is shape
    assert all("footprint" in worked_out(unit) for unit in rest)


def test_what_was_let_go_of_is_worked_out_again_the_same() -> None:
    session = watched(10)
    for past, units in gone(session):
        seen = [(unit.at, unit.footprint.wkb, unit.bounds) for unit in units]
        looked_at(past)
        bygone.let_go(past, session.battle)
        assert seen == [(unit.at, unit.footprint.wkb, unit.bounds) for unit in units]


def test_a_game_taken_up_again_and_taken_back_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = played(20, path=path)
    again = Session.resume(save.read(path), path)
    assert not any(worked_out(past) for past, _ in gone(again))
    assert [state_hash(step.battle) for step in again.steps] == [state_hash(step.battle) for step in session.steps]
    while again.why_not_undo() is None:
        again.undo()
        assert state_hash(again.battle) == state_hash(session.steps[len(again.steps) - 1].battle)
        looked_at(again.battle)
