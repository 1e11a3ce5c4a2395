"""Names are placed a frame after what the computer does, at once after what a person does."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletop.play import parcel
from tabletop.play.parcel import packed, unpacked
from tabletop.render import scene
from tabletop.render.drawing import Drawing
from tabletop.render.names import name_layer
from tests import loaded
from tests.render.playing.driver import STARTER, playing, session


def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count how often names are placed."""
    made: list[int] = []
    whole = scene.name_layer

    def counting(*args: Any, **options: Any) -> Drawing:
        made.append(1)
        return whole(*args, **options)

    monkeypatch.setattr(scene, "name_layer", counting)
    return lambda: len(made)


@pytest.mark.parametrize(("players", "waits"), [(("greedy", "greedy"), 1), (("human", "human"), 0)])
def test_names_follow_what_a_computer_does_in_the_next_frame(
    players: tuple[str, str], waits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(session(STARTER, players, 3), measuring=False) as player:
        window, desk = player.window, player.desk
        desk.computers.paused = True
        window.step(0.01)
        made = counted(monkeypatch)
        for round_ in range(1, 4):
            desk.battle = desk.battle.with_unit(desk.battle.unit("auer").moved(0.0, 0.1))
            window.draw()
            assert made() == round_ - 1 if waits else round_
            window.draw()
            assert made() == round_
            window.draw()
            assert made() == round_


def test_names_of_places_are_kept_and_the_same() -> None:
    battle = loaded.scenario(STARTER)
    first = name_layer(battle, 12.0)
    again = name_layer(replace(battle, units=battle.units), 12.0)
    fresh = name_layer(replace(battle, table=replace(battle.table)), 12.0)
    assert first.items == again.items == fresh.items


def test_a_battle_is_packed_once_for_all_who_know_its_table() -> None:
    battle = loaded.scenario(STARTER)
    other = battle.with_unit(battle.unit("auer").moved(0.0, 0.1))
    once = packed(battle, battle.table)
    assert packed(battle, battle.table) is once
    assert unpacked(packed(other, battle.table), battle.table).unit("auer") == other.unit("auer")
    assert unpacked(packed(battle, battle.table), battle.table).unit("auer") == battle.unit("auer")
    assert parcel.packed(battle, replace(battle.table)) != once
