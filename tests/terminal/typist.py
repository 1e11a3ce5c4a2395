"""Somebody who types at the prompt, and what is said to him."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.players import Player
from tabletop.play.session import Session
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.prompt import OFF, Prompt

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "scenarios/tse/starter.yaml"
QUATRE_BRAS = ROOT / "scenarios/tse/quatre-bras.yaml"
SKIRMISH = ROOT / "scenarios/tse/skirmish.yaml"


class Typist:
    """A battle at the prompt with nobody at the keyboard: ``said`` is everything printed so far."""

    def __init__(
        self, battle: Battle, seed: int = 1, players: Mapping[str, Player] | None = None, confirm: str = OFF,
        keep: Path | None = None,
    ) -> None:  # fmt: skip
        self.said: list[str] = []
        self.session = Session.start(
            battle, seed, dict.fromkeys(engine.opened(battle, seed).setup.sides, "human"), keep
        )
        self.prompt = Prompt(self.session, players or {}, self.said.append, COMMANDS, confirm)
        self.prompt.open()

    @property
    def battle(self) -> Battle:
        return self.prompt.battle

    def type(self, *lines: str) -> str:
        """Type lines; return what was said to the last of them."""
        answer = ""
        for line in lines:
            before = len(self.said)
            assert self.prompt.line(line), "the player is still there"
            answer = "\n".join(self.said[before:])
            assert "defect" not in answer, f"{line}: {answer}"
        return answer

    def told(self, what: str) -> list[Mapping[str, Any]]:
        """Return what the record holds under a heading."""
        events = (event for step in self.session.steps for event in step.events)
        return [event.values for event in events if isinstance(event, Told) and event.what == what]


def typist(scene: Path = QUATRE_BRAS, seed: int = 3, **keys: Any) -> Typist:
    return Typist(load_scene(scene), seed, **keys)


def first(typing: Typist, group: str, side: str = "french") -> Typist:
    """Let a side go first, whoever has the initiative, and choose a group."""
    asked = typing.battle.pending[0].side
    typing.type("first" if asked == side else "second", f"choose {group}")
    assert typing.battle.clock.side == side
    assert typing.battle.clock.group == group
    return typing
