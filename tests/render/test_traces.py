"""What fighting leaves on the ground: smoke before those who fired, thinner from turn to turn, and the fallen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Lost, Removed, Told
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.base import Base
from tabletop.play.engine import Step
from tabletop.play.files.load import load_scene
from tabletop.render.drawing import scene, theme
from tabletop.render.drawing.glyphs import glyph
from tabletop.render.drawing.primitives import Circle, Layer, Lines, Stamps
from tabletop.render.drawing.traces import BY_AGE, Loss, Smoke, trace_layers
from tabletop.render.events.reel import Reel
from tabletop.render.events.traces import Traces, left_by
from tabletop.rules.ages.movement.layouts import fewer
from tabletop.rules.common.looks import Figure
from tests.render.battle.driver import session
from tests.render.replay.watcher import DRILL, fought

SHOT = {"tse": ("tse/quatre-bras", "deployed-fire"), "wachau": ("realm-of-chance/wachau", "fire")}


@pytest.fixture(autouse=True)
def painted() -> Iterator[None]:
    theme.apply_theme("plain", "figures", "painted")
    yield
    theme.apply_theme("plain")


def battle_of(name: str = "tse/quatre-bras") -> Battle:
    return load_scene(f"scenarios/{name}.yaml")


def unit_of(battle: Battle, branch: str) -> Unit:
    return next(u for u in battle.units if u.troop.endswith(branch) and len(u.bases) > 2)


@pytest.mark.parametrize("name", SHOT)
def test_who_fired_has_smoke_before_every_base_of_its_front(name: str) -> None:
    """Ahead of the front, no farther than the base is wide; before nobody else."""
    place, kind = SHOT[name]
    battle = battle_of(place)
    unit = unit_of(battle, "infantry")
    (smoke,) = left_by(battle, [Told(kind, {}, unit.id, "somebody"), Told("turn", {"turn": 1})])
    assert isinstance(smoke, Smoke) and smoke.bases == unit.fronts
    middles = [shapely.Point(at) for stamps in puffs(trace_layers([smoke], ["x"], smoke.turn)) for at in stamps.at]
    for base in unit.fronts:
        before = shapely.Polygon([base.at_local(x, y) for x, y in _ahead(base)])
        assert sum(before.covers(middle) for middle in middles) >= 9
    assert len(middles) == 9 * len(unit.fronts) and not any(middle.within(unit.footprint) for middle in middles)


def _ahead(base: Base) -> list[tuple[float, float]]:
    half, far = base.frontage / 2, base.frontage
    return [(-half, 0.0), (half, 0.0), (half, far), (-half, far)]


def test_smoke_thins_and_is_gone_after_three_turns() -> None:
    smoke = Smoke(unit_of(battle_of(), "infantry").fronts, 4)
    shown = [{stamps.glyph for stamps in puffs(trace_layers([smoke], ["x"], turn))} for turn in (3, 4, 5, 6, 7)]
    assert shown == [set(), {BY_AGE[0]}, {BY_AGE[1]}, {BY_AGE[2]}, set()]
    opacity = [sum(part.opacity for part in glyph(name) if isinstance(part, Circle)) for name in BY_AGE]
    assert opacity == sorted(opacity, reverse=True) and 0.0 < opacity[2] < 0.5 * opacity[0]


def puffs(layers: Iterable[Layer]) -> list[Stamps]:
    return [item for layer in layers for item in layer.items if isinstance(item, Stamps)]


def test_the_fallen_lie_where_the_bases_stood_that_are_lost() -> None:
    battle = battle_of("realm-of-chance/wachau")
    unit = unit_of(battle, "infantry")
    left = fewer(unit, (unit.at[0], unit.at[1] + 100.0))
    (loss,) = left_by(battle, [Lost(unit.id, 1, pose_of(left))])
    assert isinstance(loss, Loss) and len(loss.bases) == 1
    (layer,) = trace_layers([loss], [], 1)
    assert isinstance(loss.bases[0], Base)
    ground = loss.bases[0].polygon.buffer(0.4 * loss.bases[0].frontage)
    limbs = [shapely.LineString(line) for item in layer.items if isinstance(item, Lines) for line in item.lines]
    assert len(limbs) >= 9 and all(ground.covers(limb) for limb in limbs)


def test_whoever_surrenders_leaves_nobody_lying_and_whoever_is_destroyed_everybody() -> None:
    battle = battle_of()
    unit = unit_of(battle, "cavalry")
    assert not list(left_by(battle, [Removed(unit.id, "surrendered")]))
    assert [t.bases for t in left_by(battle, [Removed(unit.id, "destroyed")]) if isinstance(t, Loss)] == [unit.bases]


def test_what_was_taken_back_leaves_nothing_and_what_comes_later_is_not_shown_yet() -> None:
    """Also where the same object is asked again and again, with more actions, fewer, and others."""
    played = session("tse/quatre-bras", ("human", "human"), 22)
    battle = played.battle
    unit = unit_of(battle, "infantry")
    shot = (Told("deployed-fire", {}, unit.id, "somebody"),)

    def step(events: tuple[Event, ...]) -> Step:
        return Step(Action("hold", "french"), None, events, replace(battle))

    first, fired, again = step(()), step(shot), step(shot)
    traces = Traces()
    assert len(traces.of([first, fired, again])) == 2
    assert len(traces.of([first, fired, again], fired.battle)) == 1
    assert len(traces.of([first, fired])) == 1
    assert len(traces.of([first, step(()), again])) == 1
    assert traces.of([first]) == ()
    assert traces.of([first, fired]) is traces.of([first, fired]), "found once"


def test_only_the_painted_look_shows_them_and_they_lie_under_the_units() -> None:
    battle = battle_of()
    smoke = Smoke(unit_of(battle, "infantry").fronts, battle.clock.turn)

    def names() -> list[str]:
        return [layer.name for layer in scene.unit_layer(battle, traces=[smoke]).layers]

    assert names() == ["smoke", "units"]
    for look in ("map", "plain"):
        theme.apply_theme("plain", "figures", look)
        assert "smoke" not in names()


def test_in_grey_smoke_and_the_fallen_are_grey() -> None:
    theme.apply_theme("grey", "figures", "painted")
    battle = battle_of()
    unit = unit_of(battle, "infantry")
    layers = trace_layers([Loss(unit.id, unit.side, Figure.FOOT, unit.bases[:1])], [unit.side], 1)
    tones = {tone for layer in layers for tone in _tones(layer)}
    tones |= {str(part.fill) for part in glyph(BY_AGE[0]) if isinstance(part, Circle)}
    assert tones and all(tone[1:3] == tone[3:5] == tone[5:7] for tone in tones)


def _tones(layer: Layer) -> Iterator[str]:
    for item in layer.items:
        fill = getattr(item, "fill", None)
        if fill:
            yield fill
        if isinstance(item, Lines):
            yield item.pen.colour


def test_a_replay_shows_what_an_action_leaves_only_when_it_is_done(tmp_path: Path) -> None:
    """Neither as it begins nor halfway; going back takes it away again."""
    reel = Reel.of_session(fought(tmp_path / "game.jsonl", DRILL))
    while not reel.whole:
        reel.wind(0.1)
    traces = Traces()
    leaving = [m for m in reel.moments if m.act.beats and m.n and list(left_by(m.before, m.step.events))]
    assert leaving
    for moment in (*leaving, *reversed(leaving)):
        before = traces.of(reel.steps_until(moment.n - 1))
        for share in (0.0, 0.5):
            assert traces.seen_in(reel, moment, moment.act.seen(share)) == before
        assert len(traces.seen_in(reel, moment, moment.act.seen(1.0))) > len(before)
