"""Saved games of every version there has been, and those of the demos: each opens, is replayed, reported and verified
as its version allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop import cli
from tabletop.battle.codec import state_hash
from tabletop.battle.event import Asked, Told
from tabletop.play.saves import known_game, moment, replay, save, versions
from tabletop.play.session import Session
from tabletop.rules import rule_set
from tools.corpus import CORPUS, GAMES, ROOT

GAMES_KEPT = [*sorted(CORPUS.glob("*.jsonl")), *sorted((ROOT / "demos").glob("*.jsonl"))]
#: How games of earlier versions end, as was recorded when they were played.
OUTCOMES = {
    "tse-skirmish-rules-1-model-1": "Blue won: 1 point to 0 at the end of the last turn.",
    "tse-teaching-rules-1-model-1": "Blue won: the lesser loss at the end of the last turn.",
    "tse-starter-rules-1-model-1": "French won: 5 points to 0 at the end of the last turn.",
    "realm-of-chance-drill-ground-rules-1": "The battle was drawn: 1 point between the sides.",
    "tse-skirmish-rules-2-model-2": "Red won: the Blue side broke.",
    "tse-starter-rules-2-model-2": "French won: 5 points to 0 at the end of the last turn.",
    "tse-teaching-rules-2-model-2": "Blue won: the lesser loss at the end of the last turn.",
}


def by_name(path: Path) -> str:
    return path.stem


def put(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = cli.status([str(word) for word in words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return status, said.out, said.err


def is_current(saved: save.Saved) -> bool:
    return saved.header.begun_under == versions.current(saved.header.opening.rules)


def test_every_version_of_every_rule_set_has_a_game() -> None:
    there = {(s.header.opening.rules, versions.named(s.header.begun_under)) for s in map(save.read, GAMES_KEPT)}
    for rules in {Path(game.scenario).parent.name for game in GAMES}:
        for number in range(1, rule_set.find(rules).versions["rules"] + 1):
            assert any(r == rules and f"rules {number}" in under for r, under in there), (rules, number)


@pytest.mark.parametrize("path", GAMES_KEPT, ids=by_name)
def test_it_is_replayed_at_every_moment_and_reported_as_recorded(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = save.read(path)
    for n in range(len(saved.lines)):
        assert moment.shown(known_game.known(saved), n)
    status, out, _ = put(capsys, "report", path)
    assert status == 0
    ended = replay.battle_at(saved).outcome
    assert ended is not None
    assert (f"{(ended.winner or '').capitalize()} won:" if ended.winner else "drawn") in out.splitlines()[-1]
    if path.stem in OUTCOMES:
        assert out.splitlines()[-1] == OUTCOMES[path.stem]


@pytest.mark.parametrize("path", GAMES_KEPT, ids=by_name)
def test_it_is_verified_only_under_its_own_versions(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = save.read(path)
    status, out, _ = put(capsys, "verify", path)
    under = versions.named(saved.header.begun_under)
    if is_current(saved):
        assert (status, out) == (
            0,
            f"Verified: all {len(saved.lines) - 1} actions come out as they were saved, under {under}.\n",
        )
    else:
        assert (status, out) == (3, f"not verified: played under {under}\n")


@pytest.mark.parametrize("path", GAMES_KEPT, ids=by_name)
def test_it_is_opened_and_gone_on_with(path: Path, tmp_path: Path) -> None:
    """A game left half-way is played on under the rules of today, and says from which action on it is."""
    lines = path.read_bytes().splitlines(keepends=True)[:5]
    (tmp_path / "game.jsonl").write_bytes(b"".join(lines))
    old = save.read(tmp_path / "game.jsonl")
    session = Session.resume(old, tmp_path / "game.jsonl")
    from tabletop.play.computer.random_mover import RandomMover

    for _ in range(3):
        session.do(RandomMover(1).choose(session.battle).action)
    saved = save.read(tmp_path / "game.jsonl")
    assert saved.raw[:5] == tuple(lines), "what was played before stays as it was written"
    here = versions.current(saved.header.opening.rules)
    assert [line.under == here for line in saved.lines] == [is_current(old)] * 4 + [True] * 3
    found = replay.verify(saved)
    assert found.sound is is_current(old)
    if not is_current(old):
        assert found.unlike == f"played under {versions.named(saved.header.begun_under)} as far as action 3"


def test_a_game_is_judged_by_the_rulings_of_its_own_day(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = put(capsys, "judge", CORPUS / "tse-skirmish-rules-1-model-1.jsonl", "los", "red", "blue")
    assert status in (0, 1), err


def test_wording_is_no_fact() -> None:
    """Another wording of a question, an outcome or a reason leaves the hash of the state as it was."""
    from dataclasses import replace

    from tabletop.battle.progress import Decision, Outcome

    battle = replay.battle_at(save.read(GAMES_KEPT[0]))
    asked = replace(battle, pending=(Decision("red", "go-first", ("first", "second"), "go first?"),))
    again = replace(battle, pending=(Decision("red", "go-first", ("first", "second"), "will you go first?"),))
    assert state_hash(asked) == state_hash(again) != state_hash(battle)
    lost, drawn = (replace(battle, outcome=Outcome(None, how)) for how in ("even", "nobody won"))
    assert state_hash(lost) == state_hash(drawn) != state_hash(replace(battle, outcome=Outcome("red", "even")))


@pytest.mark.parametrize("path", [path for path in GAMES_KEPT if "rules-1" not in path.stem], ids=by_name)
def test_no_wording_is_recorded(path: Path) -> None:
    """What a side is asked is put in words when it is shown, from what is recorded of it."""
    events = [event for line in save.read(path).lines for event in line.events]
    assert not any(event.decision.text for event in events if isinstance(event, Asked))
    assert not any("why" in event.values for event in events if isinstance(event, Told))
