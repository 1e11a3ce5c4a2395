"""A battle as an animated picture: which pictures, how long, how large, and nothing half-written."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tabletop import cli
from tabletop.errors import BadQuestion
from tabletop.render.events.reel import Reel, read
from tabletop.render.film import writer
from tabletop.render.film.frames import Studio
from tabletop.render.film.shots import FIRST, LAST, SHORTEST, Shot, Wish, shots
from tabletop.render.film.writer import LeftOff, image, write_film
from tests.render.replay.watcher import fought

WIDE = 360


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "skirmish.jsonl"
    fought(path)
    return path


@pytest.fixture
def reel(game: Path) -> Reel:
    return read(game).wound()


def pictures(path: Path) -> list[tuple[np.ndarray, int]]:
    """Return the pictures of a file, each with the milliseconds it stands."""
    found = []
    with Image.open(path) as film:
        for k in range(getattr(film, "n_frames", 1)):
            film.seek(k)
            film.load()
            found.append((np.asarray(film.convert("RGB")), round(film.info.get("duration") or 0)))
    return found


# --- which pictures --------------------------------------------------------------------------------------------------


def test_a_film_goes_from_the_first_action_to_the_last_and_everything_in_between_is_seen(reel: Reel) -> None:
    taken = shots(reel, Wish())
    assert (taken[0], taken[-1].n) == (Shot(0, 1.0, taken[0].seconds), reel.last)
    assert [(s.n, s.share) for s in taken] == sorted((s.n, s.share) for s in taken)
    done = {s.n for s in taken if s.share == 1.0}
    assert all(m.n in done for m in reel.moments if m.text)
    moving = {s.n for s in taken if s.share < 1.0}
    assert moving == {m.n for m in reel.moments if m.act.beats}
    assert taken[0].seconds >= FIRST and taken[-1].seconds >= LAST


@pytest.mark.parametrize("seconds", [4.0, 9.0, 60.0])
def test_a_film_lasts_as_long_as_wanted(reel: Reel, seconds: float) -> None:
    taken = shots(reel, Wish(seconds=seconds))
    assert sum(s.seconds for s in taken) == pytest.approx(seconds, rel=0.25)
    assert min(s.seconds for s in taken) >= SHORTEST


def test_one_picture_every_so_many_actions_or_every_turn(reel: Reel) -> None:
    every = [s.n for s in shots(reel, Wish(every=4))]
    assert every == sorted({*range(0, reel.last + 1, 4), reel.last})
    opens = list(reel.turns.values())[1:]
    assert [s.n for s in shots(reel, Wish(turns=True))] == sorted({0, *(n - 1 for n in opens), reel.last})


def test_from_and_to(reel: Reel) -> None:
    taken = shots(reel, Wish(start=3, end=6))
    assert (taken[0].n, taken[0].share, taken[-1].n) == (3, 1.0, 6)
    for start, end in ((6, 3), (0, reel.last + 1), (-1, 3)):
        with pytest.raises(BadQuestion, match="from an action to a later one"):
            shots(reel, Wish(start=start, end=end))


# --- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".gif", ".png", ".apng", ".webp"])
def test_a_film_is_as_large_and_long_as_it_should_be(reel: Reel, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    taken = shots(reel, Wish(end=5))
    assert write_film(path, reel, WIDE, Wish(end=5)) == len(taken)
    found = pictures(path)
    size = Studio(reel, WIDE).size
    assert all(picture.shape == (size[1], size[0], 3) for picture, _ in found)
    assert len(taken) // 2 < len(found) <= len(taken)  # a picture like the one before only lengthens it
    if suffix != ".webp":
        lasts = sum(time for _, time in found) / 1000
        assert lasts == pytest.approx(sum(s.seconds for s in taken), abs=0.006 * len(taken))
    assert path.stat().st_size < 400_000


@pytest.mark.parametrize("suffix", [".gif", ".png"])
def test_the_first_and_the_last_picture_are_those_of_their_moments(reel: Reel, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    write_film(path, reel, WIDE, Wish(end=5))
    found, studio = pictures(path), Studio(reel, WIDE)
    for (picture, _), n in ((found[0], 0), (found[-1], 5)):
        drawn = np.asarray(image(studio.picture(Shot(n, 1.0, 1.0))))
        off = np.abs(picture.astype(int) - drawn.astype(int))
        assert off.mean() < 1.0  # only the palette lies between them
        other = np.asarray(image(studio.picture(Shot(5 - n, 1.0, 1.0))))
        assert np.abs(picture.astype(int) - other.astype(int)).mean() > 2 * off.mean()


def test_every_picture_of_a_gif_is_that_of_the_png(reel: Reel, tmp_path: Path) -> None:
    """What is left out of a picture because it has not changed comes from the one before."""
    for suffix in (".gif", ".png"):
        write_film(tmp_path / f"film{suffix}", reel, WIDE, Wish(end=5))
    gif, png = pictures(tmp_path / "film.gif"), pictures(tmp_path / "film.png")
    assert len(gif) == len(png)
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(gif, png, strict=True))


def test_the_same_film_has_the_same_bytes(reel: Reel, game: Path, tmp_path: Path) -> None:
    write_film(tmp_path / "a.gif", reel, WIDE, Wish(end=3))
    write_film(tmp_path / "b.gif", read(game).wound(), WIDE, Wish(end=3))
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_film_left_off_leaves_nothing(reel: Reel, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, of: int) -> bool:
        told.append((done, of))
        return done < 4

    with pytest.raises(LeftOff):
        write_film(tmp_path / "film.gif", reel, WIDE, progress=progress)
    assert list(tmp_path.iterdir()) == []
    assert [done for done, _ in told] == [0, 1, 2, 3, 4]


def test_a_full_disk_is_one_line_and_leaves_nothing(
    reel: Reel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer, "write_whole", full)
    with pytest.raises(BadQuestion) as refused:
        write_film(tmp_path / "film.gif", reel, WIDE, Wish(end=1))
    assert "No space left" in str(refused.value) and "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_what_moves_is_on_its_way_and_its_bases_hold_together(reel: Reel) -> None:
    """Between two poses every base is where neither end is, as far from its unit's middle as at the ends."""
    moment = next(m for m in reel.moments if any(beat.mover for beat in m.act.beats))
    seen = moment.act.seen(0.5 * moment.act.beats[0].seconds / moment.act.seconds)
    assert seen.mover is not None
    start, end = moment.before.unit(seen.mover.id), moment.battle.unit(seen.mover.id)
    for unit in (start, end):
        assert seen.mover.bases != unit.bases
    assert seen.with_mover.unit(seen.mover.id) is seen.mover
    reach = max(max(abs(b.x - u.at[0]) + abs(b.y - u.at[1]) for b in u.bases) for u in (start, end))
    assert all(abs(b.x - seen.mover.at[0]) + abs(b.y - seen.mover.at[1]) <= 1.5 * reach for b in seen.mover.bases)


def test_the_ends_of_every_action_are_the_battles_before_and_after(reel: Reel) -> None:
    for moment in reel.moments[1:]:
        assert moment.act.seen(0.0).battle is (moment.before if moment.act.beats else moment.battle)
        assert moment.act.seen(1.0).battle is moment.battle


def test_a_way_ends_in_the_pose_it_leads_to(reel: Reel) -> None:
    from tabletop.battle.apply import placed_by
    from tabletop.render.events.beats import Posed, between

    for moment in reel.moments:
        for beat in moment.act.beats:
            if not isinstance(beat.event, Posed) or beat.mover is None or not beat.battle.has(beat.mover):
                continue
            unit, pose, path = beat.battle.unit(beat.mover), beat.event.pose, beat.event.path
            after = placed_by(unit, beat.event)
            there = between(unit, after, path, 1.0)
            for base, place in zip(there.bases, pose["bases"], strict=True):
                assert (base.x, base.y) == pytest.approx(place[:2], abs=1e-9)
            here = between(unit, after, path, 0.0)
            for base, was in zip(here.bases, unit.bases, strict=True):
                assert base.centre == pytest.approx(was.centre, abs=1e-9)


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_film_and_says_where(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.gif"
    assert cli.status(["film", str(game), "-o", str(path), "--width", "360", "--turn"]) == 0
    assert str(path) in capsys.readouterr().out
    assert len(pictures(path)) >= 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "film.mp4"], "'.mp4'; a film's file ends in .gif"),
        (["-o", "film"], "no suffix"),
        (["-o", "no/such/folder/film.gif", "--turn"], "cannot be written"),
        (["--width", "20"], "320 to 1920 pixels wide"),
        (["--every", "2", "--turn"], "leave one out"),
        (["--from", "turn:9"], "there is no turn 9"),
        (["--from", "5", "--to", "2"], "not from 5 to 2"),
        (["--to", "4000"], "0 to"),
    ],
)
def test_what_cannot_be_is_one_line(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    words: list[str], says: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert cli.status(["film", str(game), *words]) == 2
    err = capsys.readouterr().err
    assert says in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_game_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.jsonl").write_text("{}\n")
    assert cli.status(["film", str(tmp_path / "no.jsonl"), "-o", str(tmp_path / "film.gif")]) == 2
    assert "this is no saved game" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["no.jsonl"]


def test_far_too_many_pictures_are_refused(reel: Reel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.render.film.shots.MOST", 10)
    with pytest.raises(BadQuestion, match="--every"):
        shots(reel, replace(Wish(), seconds=30.0))
