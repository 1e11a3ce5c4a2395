"""Sounds: what is heard to what is seen, each beat once, and silence where there is no loudspeaker."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from tabletop.battle.event import Lost, Placed, Told
from tabletop.battle.unit import pose_of
from tabletop.play.files.load import load_scene
from tabletop.render.battle import sounds
from tabletop.render.events.beats import Beat

BATTLE = load_scene(Path(__file__).parents[2] / "scenarios/tse/quatre-bras.yaml")


def test_every_branch_is_heard_on_its_way_and_in_attack() -> None:
    marching, shooting = {}, {}
    for unit in BATTLE.units:
        branch = "general" if unit.is_general else unit.troop.rsplit("-", 1)[-1]
        marching[branch] = sounds.of(Beat(BATTLE, Placed(unit.id, pose_of(unit)), 1.0))
        shooting[branch] = sounds.of(Beat(BATTLE, Told("fire", {}, unit.id, BATTLE.units[0].id), 1.0))
    assert marching == {"infantry": "drum", "cavalry": "hooves", "artillery": "hooves", "general": "hooves"}
    assert (shooting["infantry"], shooting["artillery"], shooting["cavalry"]) == ("muskets", "guns", "hooves")


def test_a_loss_is_silent() -> None:
    unit = next(u for u in BATTLE.units if len(u.bases) > 1)
    assert sounds.of(Beat(BATTLE, Lost(unit.id, 1, pose_of(unit)), 1.0)) == ""


def test_each_beat_is_heard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    speaker = sounds.Speaker()
    monkeypatch.setattr(speaker, "_play", played.append)
    unit = next(u for u in BATTLE.units if u.troop == "infantry")
    beat = Beat(BATTLE, Placed(unit.id, pose_of(unit)), 1.0)
    for seen in (beat, beat, None, replace(beat, seconds=0.5)):
        speaker.hear(seen)
    assert played == ["drum", "drum"]


@pytest.mark.parametrize("name", ["drum", "hooves", "muskets", "guns"])
def test_a_sound_is_short_quiet_and_dies_away(name: str) -> None:
    made = sounds.samples(name).astype(float)
    assert 0.3 < len(made) / sounds.RATE < 1.0
    assert 0.2 < np.abs(made).max() / 32767 <= sounds.LOUD + 1e-3
    assert np.abs(made[-200:]).max() < 0.1 * np.abs(made).max()


def test_without_a_loudspeaker_all_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise pygame.error("no audio device")

    monkeypatch.setattr(pygame.mixer, "get_init", lambda: None)
    monkeypatch.setattr(pygame.mixer, "init", none)
    speaker = sounds.Speaker()
    unit = BATTLE.units[0]
    assert speaker.hear(Beat(BATTLE, Placed(unit.id, pose_of(unit)), 1.0))
    assert speaker.dumb


def test_a_sound_is_named_whether_it_is_played_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    monkeypatch.setattr(sounds.Speaker, "_play", lambda _, name: played.append(name))
    unit = next(u for u in BATTLE.units if not u.is_general)
    speaker, beat = sounds.Speaker(), Beat(BATTLE, Placed(unit.id, pose_of(unit)), 1.0)
    name = speaker.hear(beat, aloud=False)
    assert sounds.CAPTIONS[name] and played == []
    assert speaker.hear(replace(beat)) == name and played == [name]


def test_every_sound_there_is_has_a_caption() -> None:
    heard = {"drum", "muskets", *sounds.WAYS.values(), *sounds.ATTACKS.values()}
    assert set(sounds.CAPTIONS) == heard and all(len(sounds.samples(name)) for name in sounds.CAPTIONS)
