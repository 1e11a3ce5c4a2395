"""The pictures of a film and their timing: a moving unit in several, a finished action in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tabletop.errors import BadQuestion
from tabletop.render.events.beats import rest
from tabletop.render.events.reel import Moment, Reel

#: Pictures a second while something moves, and their minimum for one move; seconds of the first and the last picture.
RATE, FEWEST, FIRST, LAST = 10.0, 3, 1.6, 3.0
#: Minimum seconds of a picture: viewers slow down shorter ones.
SHORTEST = 0.04
#: Maximum pictures of a film.
MOST = 6_000


@dataclass(frozen=True)
class Wish:
    """What a film should contain: its first and last moment, its length in seconds (None: natural), and its rhythm.

    ``every`` N actions one picture (None: every action, with movement shown); ``turns``: one each turn.
    """

    start: int = 0
    end: int | None = None
    seconds: float | None = None
    every: int | None = None
    turns: bool = False


@dataclass(frozen=True)
class Shot:
    """One picture: the moment, the share of its action seen so far (1: all of it), and its duration."""

    n: int
    share: float
    seconds: float


def shots(reel: Reel, wish: Wish) -> list[Shot]:
    """Return a film's pictures in order; BadQuestion for invalid moments, or for far too many pictures."""
    last = reel.last if wish.end is None else wish.end
    if not 0 <= wish.start <= last <= reel.last:
        span = f"not from {wish.start} to {last}"
        raise BadQuestion(f"a film goes from an action to a later one, both of 0 to {reel.last}, {span}")
    chosen = _chosen(reel, wish, last)
    if wish.every is not None or wish.turns:
        pictures = [Shot(n, 1.0, rest(reel.moments[n].text)) for n in chosen]
    else:
        pictures = _moving(reel.moments, chosen, _haste(reel.moments, chosen, wish.seconds))
    pictures[0] = replace(pictures[0], seconds=max(FIRST, pictures[0].seconds))
    pictures[-1] = replace(pictures[-1], seconds=max(LAST, pictures[-1].seconds))
    if len(pictures) > MOST:
        cure = "take fewer with --every, --turn or --to"
        raise BadQuestion(f"that would be {len(pictures)} pictures, {MOST} at most: {cure}")
    return pictures if wish.seconds is None else _fitted(pictures, wish.seconds)


def _chosen(reel: Reel, wish: Wish, last: int) -> list[int]:
    """Return the numbers of the moments to show."""
    if wish.turns:
        ends = [n - 1 for n in reel.turns.values() if wish.start < n <= last]
        return sorted({wish.start, *ends, last})
    if wish.every is not None:
        return sorted({*range(wish.start, last + 1, wish.every), last})
    seen = [n for n in range(wish.start + 1, last) if reel.moments[n].text or reel.moments[n].act.beats]
    return sorted({wish.start, *seen, last})


def _haste(moments: Sequence[Moment], chosen: Sequence[int], seconds: float | None) -> float:
    """Return the factor by which the film must run faster than usual to last as long as wanted."""
    if seconds is None:
        return 1.0
    usual = sum(moments[n].act.seconds + rest(moments[n].text) for n in chosen[1:])
    return max(1.0, usual / max(1.0, seconds - FIRST - LAST))


def _moving(moments: Sequence[Moment], chosen: Sequence[int], haste: float) -> list[Shot]:
    pictures = [Shot(chosen[0], 1.0, FIRST)]
    for n in chosen[1:]:
        pictures += _on_the_way(moments[n], haste)
        pictures.append(Shot(n, 1.0, rest(moments[n].text) / haste))
    return pictures


def _on_the_way(moment: Moment, haste: float) -> Iterator[Shot]:
    """Yield the pictures of an action before it is done."""
    seconds = moment.act.seconds / haste
    if not moment.act.beats:
        return
    count = max(FEWEST * sum(beat.mover is not None for beat in moment.act.beats), round(seconds * RATE), 1)
    for k in range(1, count + 1):
        yield Shot(moment.n, k / (count + 1), seconds / count)


def _fitted(chosen: list[Shot], seconds: float) -> list[Shot]:
    """Return the pictures with all their durations scaled to the length wanted."""
    factor = seconds / sum(shot.seconds for shot in chosen)
    return [replace(shot, seconds=max(SHORTEST, shot.seconds * factor)) for shot in chosen]
