"""The battles quoted in docs/tse-model.md: which are fought, and how each went, kept in tools/battles.json.

    python -m tools.battles                fight those not yet fought with the current numbers; one processor
    python -m tools.battles field:8        only those at these places

Battles fought with other numbers are dropped and fought again; if stopped half-way, the next run continues.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ruamel.yaml import YAML

from tools.battle_figures import Game, ending, games, played

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tools/battles.json"
NUMBERS = ("tabletop/rules/tse/model.yaml", "tabletop/rules/tse/outlook.toml")
#: First and last turn in which a battle should be decided; the most turns it is given.
FIRST, LAST, MOST = 6, 12, 20
MORALE = "army morale"


@dataclass(frozen=True)
class Match:
    """A series of like battles: its name in the document, the place, who plays both sides, how many, the limit of
    turns."""

    label: str
    place: str
    player: str
    count: int
    turns: int | None = MOST
    full_size: bool = False

    @property
    def name(self) -> str:
        return f"{self.place} {self.player} {self.turns or 'as it is'}"

    @property
    def games(self) -> list[Game]:
        return games(self.place, (self.player, self.player), self.count, self.turns)


@dataclass(frozen=True)
class Fought:
    """How one battle went: the side that won, how, in what turn, after how many actions."""

    winner: str | None
    how: str
    turn: int
    actions: int

    @property
    def by_morale(self) -> bool:
        return ending(self.how) == MORALE


STARTER, QUATRE_BRAS = "scenarios/tse/starter.yaml", "scenarios/tse/quatre-bras.yaml"
MATCHES = (
    Match("8 brigades a side, sensible", "field:8", "sensible", 14, full_size=True),
    Match("12 brigades a side, sensible", "field:12", "sensible", 6, full_size=True),
    Match("starter battle, six brigades, sensible", STARTER, "sensible", 12),
    Match("starter battle, six brigades, greedy", STARTER, "greedy", 12),
)


def numbers() -> str:
    """Return a digest of the numbers that determine battles; comments, layout and the version do not count."""
    yaml, toml = (ROOT / name for name in NUMBERS)
    read = [YAML(typ="safe", pure=True).load(yaml.read_text("utf-8")), tomllib.loads(toml.read_text("utf-8"))]
    del read[0]["version"]
    return hashlib.sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()[:16]


def kept() -> dict[str, tuple[Fought, ...]]:
    """Return the battles fought with the current numbers, by the names of their matches."""
    if not KEPT.exists():
        return {}
    data = json.loads(KEPT.read_text("utf-8"))
    if data["numbers"] != numbers():
        return {}
    return {name: tuple(Fought(**row) for row in rows) for name, rows in data["matches"].items()}


def keep(found: Mapping[str, tuple[Fought, ...]]) -> None:
    """Write down how battles went."""
    rows = {
        "numbers": numbers(),
        "matches": {name: [asdict(battle) for battle in found[name]] for name in sorted(found)},
    }
    KEPT.write_text(json.dumps(rows, indent=None, separators=(",", ":")).replace("},{", "},\n{") + "\n", "utf-8")


def missing() -> list[str]:
    """Return the matches not yet completed with the current numbers."""
    recorded = kept()
    return [match.label for match in MATCHES if len(recorded.get(match.name, ())) < match.count]


def fight_out(match: Match) -> None:
    """Fight the missing battles of a match, saving each."""
    for game in match.games[len(kept().get(match.name, ())) :]:
        battle = played(game)
        recorded = kept()
        recorded[match.name] = (
            *recorded.get(match.name, ()),
            Fought(battle.side, battle.how, battle.turn, battle.actions),
        )
        keep(recorded)
        print(f"{match.label}: {game.seed}, turn {battle.turn}: {battle.how}", flush=True)


# --- what they come to -----------------------------------------------------------------------------------------------


def in_time(fought: Sequence[Fought]) -> float:
    """Return the share of battles that ended from turn FIRST to turn LAST."""
    return sum(FIRST <= battle.turn <= LAST for battle in fought) / len(fought)


def shares(fought: Sequence[Fought]) -> tuple[float, float, float, float]:
    """Return the shares ended by army morale before, within and after the intended turns, and ended otherwise."""
    broken = [battle.turn for battle in fought if battle.by_morale]
    soon, late = sum(t < FIRST for t in broken), sum(t > LAST for t in broken)
    counts = (soon, len(broken) - soon - late, late, len(fought) - len(broken))
    return tuple(count / len(fought) for count in counts)  # type: ignore[return-value]


def table() -> str:
    """Return the battles as a table for the document."""
    recorded = kept()
    return "\n".join(_rows((match, recorded[match.name]) for match in MATCHES if match.name in recorded))


def _rows(matches: Iterable[tuple[Match, tuple[Fought, ...]]]) -> Iterable[str]:
    yield "| Battles | Fought | Turn of the end, median | Turns 6 to 12 | By army morale | Won by either side, drawn |"
    yield "|---|---|---|---|---|---|"
    for match, fought in matches:
        turn, won = statistics.median(battle.turn for battle in fought), Counter(battle.winner for battle in fought)
        sides = " : ".join(str(won[side]) for side in sorted(w for w in won if w is not None))
        morale = sum(battle.by_morale for battle in fought) / len(fought)
        yield (
            f"| {match.label} | {len(fought)} | {turn:g} | {in_time(fought):.0%} | {morale:.0%} | "
            f"{sides}, {won[None]} |"
        )


def main(places: Sequence[str]) -> None:
    for match in MATCHES:
        if not places or match.place in places:
            fight_out(match)
    print(table())


if __name__ == "__main__":
    main(sys.argv[1:])
