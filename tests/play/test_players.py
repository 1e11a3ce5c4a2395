"""Players without a person: allowed, deterministic, without the battle's dice; the one who looks ahead wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.errors import BadQuestion
from tabletop.play.computer.greedy import Greedy
from tabletop.play.engine import begin, judge, mover, play_of, submit
from tabletop.play.match import fight
from tabletop.play.players import PLAYERS, Player, player_kind
from tests.games.positions import position

SKIRMISH, STARTER = "scenarios/tse/skirmish.yaml", "scenarios/tse/starter.yaml"
TEACHING, DRILL = "scenarios/tse/teaching.yaml", "scenarios/realm-of-chance/drill-ground.yaml"
#: Of a hundred games greedy must win so many.
ENOUGH = 95
#: Where luck or uneven forces weigh more, what it must not fall below: one brigade a side (it won 31 of 40), and
#: generated positions with forces that are seldom even (34 of 40).
LUCKY, UNEVEN = 65, 75


def made(name: str, seed: int) -> Player:
    make = PLAYERS[name].make
    assert make is not None
    return make(seed)


@cache
def midway(name: str, actions: int) -> Battle:
    """Return a battle some actions on, one side greedy, the other at random."""
    battle = begin(position(name), 5).battle
    players = dict(zip(battle.setup.sides, (made("greedy", 1), made("random", 2)), strict=True))
    for _ in range(actions):
        side = mover(battle)
        assert side is not None
        battle = submit(battle, players[side].choose(battle).action).battle
    return battle


@pytest.mark.parametrize("name", [SKIRMISH, STARTER])
def test_greedy_repeats_itself(name: str) -> None:
    """The same battle gets the same choice and the same why, whatever the seed and however often it is asked."""
    battle = midway(name, 9)
    first = Greedy(1).choose(battle)
    assert [Greedy(seed).choose(battle) for seed in (1, 2)] == [first, first]


@pytest.mark.parametrize("name", [SKIRMISH, STARTER])
@pytest.mark.parametrize("actions", [0, 4, 9])
def test_thinking_changes_nothing(name: str, actions: int) -> None:
    """Choosing uses none of the battle's dice and changes nothing; what is chosen is allowed."""
    battle = midway(name, actions)
    before, throws = state_hash(battle), battle.throws
    for player in (made("greedy", 3), made("random", 3), made("sensible", 3)):
        assert judge(battle, player.choose(battle).action).holds
    assert (state_hash(battle), battle.throws) == (before, throws)


def test_greedy_says_why() -> None:
    """Greedy's reasons name units and what is expected of the action, in words, with the figure it was chosen by."""
    said = dict[str, str]()
    battle = midway(STARTER, 9)
    player = Greedy(0)
    while not {"assault", "maneuver"} <= set(said) or not {"deployed-fire", "advancing-fire"} & set(said):
        chosen = player.choose(battle)
        said.setdefault(chosen.action.kind, chosen.why)
        battle = submit(battle, chosen.action).battle
    assert "gives way" in said["assault"]
    assert "to shake" in said.get("deployed-fire", said.get("advancing-fire", ""))
    assert any(word in said["maneuver"] for word in ("nearer to", "ready to assault", "a shot at", "safer from"))
    assert all(why[-1] == ")" or why[0] in "+-" for why in said.values())


@pytest.mark.parametrize("seeds", [8, pytest.param(20, marks=pytest.mark.sweep)])
def test_sensible_players_differ(seeds: int) -> None:
    """The same seed does the same; others draw otherwise, but what promises most is done most often."""
    battle = midway(STARTER, 14)
    actions = [made("sensible", seed).choose(battle).action for seed in range(seeds)]
    assert made("sensible", 7).choose(battle) == made("sensible", 7).choose(battle)
    assert len(set(map(repr, actions))) > 1
    play = play_of(battle)
    worths = Counter(round(play.prospect(battle, action)[0], 9) for action in actions)  # equals share their draws
    assert worths[round(play.prospect(battle, Greedy(0).choose(battle).action)[0], 9)] == max(worths.values())


@pytest.mark.parametrize(
    ("name", "seeds", "least"),
    [
        ("tse:2", (6,), 1),
        ("tse:9", (7,), 1),
        pytest.param("tse:9", range(6, 8), 1, marks=pytest.mark.sweep),
        pytest.param(STARTER, (6,), 1, marks=pytest.mark.sweep),
    ],
)
def test_greedy_beats_random(name: str, seeds: Sequence[int], least: int) -> None:
    """A few games, on either side; the sweeps play a hundred and more."""
    assert won(name, seeds)["greedy"] >= least


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "least"), [(SKIRMISH, LUCKY), (STARTER, ENOUGH), (TEACHING, ENOUGH)])
def test_greedy_beats_random_at_length(name: str, least: int) -> None:
    """In at least 95 of a hundred games with changed sides greedy wins; fewer with one brigade a side."""
    assert won(name, range(100))["greedy"] >= least


@pytest.mark.sweep
def test_greedy_beats_random_anywhere() -> None:
    """On generated positions, each played from both sides with forces that are seldom even, greedy wins most."""
    found = sum((won(f"tse:{number}", (2 * number, 2 * number + 1)) for number in range(50)), Counter[str]())
    assert found["greedy"] >= UNEVEN


def won(name: str, seeds: Sequence[int]) -> Counter[str]:
    """Return who won how many games; players change sides with every seed."""
    found = Counter[str]()
    for seed in seeds:
        battle = begin(position(name), seed).battle
        names = ("greedy", "random") if seed % 2 == 0 else ("random", "greedy")
        kinds = dict(zip(battle.setup.sides, names, strict=True))
        *_, last = fight(position(name), {side: made(kind, seed) for side, kind in kinds.items()}, seed)
        assert last.battle.outcome is not None
        winner = last.battle.outcome.winner
        found[kinds[winner] if winner else "nobody"] += 1
    return found


def test_unknown_player() -> None:
    """A player there is not is refused in one line that names the nearest."""
    with pytest.raises(BadQuestion, match="did you mean 'greedy'"):
        player_kind("gredy")


def test_people_are_not_made() -> None:
    """A person is asked at the screen: there is nothing to make."""
    assert PLAYERS["human"].make is None


def test_other_rules_have_their_greedy() -> None:
    """Greedy works from what a rule set suggests and weighs, whichever it is."""
    battle = begin(position(DRILL), 1).battle
    for _ in range(3):
        side = mover(battle)
        assert side is not None
        chosen = Greedy(0).choose(battle)
        assert judge(battle, chosen.action).holds
        battle = submit(battle, chosen.action).battle
