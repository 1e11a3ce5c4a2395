"""A forger of saved games: alters what a file says and signs every line again, so that its sums fit.

What it alters it alters so that the record no longer follows from its seed and actions: a verifier must find it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tabletop.play.saves import save

Rows = list[dict[str, Any]]
Forgery = Callable[[Random, Rows], bool]
#: A change of a number that is more than rounding.
STEPS = (2e-6, -1e-5, 0.001, -0.01, 0.5, 1.0, -3.0, 1e6)


def rows_of(raw: bytes) -> Rows:
    """Return the lines of a game as data, their sums left out."""
    rows = [json.loads(line) for line in raw.splitlines()]
    for row in rows:
        row.pop("sum")
    return rows


def signed(rows: Rows) -> bytes:
    """Return lines as a file whose every sum fits."""
    lines, before = [], ""
    for row in rows:
        lines.append(save._tied(row, before))
        before = lines[-1][-19:-3].decode()
    return b"".join(lines)


# --- what is altered -------------------------------------------------------------------------------------------------


def _events(rows: Rows, *kinds: str) -> list[dict[str, Any]]:
    return [e for row in rows[1:] for e in row["events"] if not kinds or e["event"] in kinds]


def a_die(random: Random, rows: Rows) -> bool:
    """Another face, number of faces or purpose of one die."""
    if not (dice := _events(rows, "thrown")):
        return False
    die, key = random.choice(dice), random.choice(("face", "face", "sides", "purpose"))
    die[key] = f"{die[key]}, again" if key == "purpose" else die[key] + random.choice((1, -1, 7, 2e-7))
    return True


def a_result(random: Random, rows: Rows) -> bool:
    """Another value somewhere in what was told, changed, lost, removed, scored, remembered, asked or ended."""
    kinds = ("told", "changed", "lost", "removed", "scored", "remembered", "asked", "settled", "ended", "clocked")
    found = _events(rows, *kinds, "taken")
    return bool(found) and _another(random, random.choice(found))


def a_path(random: Random, rows: Rows) -> bool:
    """One number of a path or a pose moved, or one point of a path taken out."""
    placed = [e for e in _events(rows, "placed", "entered", "lost", "converted", "left") if e.get("pose")]
    if not placed:
        return False
    event = random.choice(placed)
    if event.get("path") and random.random() < 0.5:
        if random.random() < 0.3:
            event["path"].pop(random.randrange(len(event["path"])))
        else:
            random.choice(event["path"])[random.randrange(2)] += random.choice(STEPS)
        return True
    random.choice(event["pose"]["bases"])[random.randrange(2)] += random.choice(STEPS)
    return True


def changes(rows: Rows) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """Yield every event that changes a unit, with the marks that the unit was given before it."""
    held: dict[str, frozenset[str]] = {}
    for event in _events(rows, "changed"):
        marks, had = event.get("marks", {}), held.get(event["unit"], frozenset())
        yield event, had
        given = {mark for mark, value in marks.items() if value is not None}
        held[event["unit"]] = (had | given) - {mark for mark, value in marks.items() if value is None}


def a_null_added(random: Random, rows: Rows) -> bool:
    """A null more: among the marks of a change, where it takes a mark away, among what was told or in a pose."""
    places = [(event, "values", "invented") for event in _events(rows, "told")]
    places += [(event, "pose", "invented") for event in _events(rows, "placed")]
    for event, had in changes(rows):
        new = sorted({"invented", *had} - event.get("marks", {}).keys())
        places += [(event, "marks", mark) for mark in new for _ in range(5)]
    event, part, key = random.choice(places)
    event.setdefault(part, {})[key] = None
    return True


def a_null_removed(random: Random, rows: Rows) -> bool:
    """A null left out: a mark that a unit has is not taken away."""
    places: list[tuple[dict[str, Any], str]] = []
    for event, had in changes(rows):
        marks = event.get("marks", {})
        often = 9 if len(marks) > 1 else 1
        places += [(marks, mark) for mark, value in marks.items() if value is None and mark in had] * often
    if not places:
        return False
    marks, key = random.choice(places)
    marks.pop(key)
    return True


def an_unknown_key(random: Random, rows: Rows) -> bool:
    """A key that no event of its kind has."""
    random.choice(_events(rows))["invented"] = random.choice((None, 1, [], "a word"))
    return True


def missing(random: Random, rows: Rows) -> bool:
    """One event left out."""
    row = random.choice([row for row in rows[1:] if row["events"]])
    row["events"].pop(random.randrange(len(row["events"])))
    return True


def doubled(random: Random, rows: Rows) -> bool:
    """One event twice, beside itself or elsewhere in its action."""
    row = random.choice([row for row in rows[1:] if row["events"]])
    event = copy.deepcopy(random.choice(row["events"]))
    row["events"].insert(random.randrange(len(row["events"]) + 1), event)
    return True


def reordered(random: Random, rows: Rows) -> bool:
    """Two events of one action, not the same, change places."""
    row = random.choice(rows[1:])
    events = row["events"]
    pairs = [(i, j) for i in range(len(events)) for j in range(i) if events[i] != events[j]]
    if not pairs:
        return False
    i, j = random.choice(pairs)
    events[i], events[j] = events[j], events[i]
    return True


def moved_on(random: Random, rows: Rows) -> bool:
    """One event told of the action before or after its own."""
    k = random.randrange(1, len(rows) - 1)
    here, there = random.sample((rows[k]["events"], rows[k + 1]["events"]), 2)
    if not here:
        return False
    there.insert(random.randrange(len(there) + 1), here.pop(random.randrange(len(here))))
    return True


def a_line(random: Random, rows: Rows) -> bool:
    """A whole action left out, twice, or in the place of the next; the numbers made to fit."""
    k, how = random.randrange(2, len(rows) - 1), random.randrange(3)
    if how == 0:
        rows.pop(k)
    elif how == 1:
        rows.insert(k, copy.deepcopy(rows[k]))
    else:
        rows[k], rows[k + 1] = rows[k + 1], rows[k]
    for n, row in enumerate(rows[1:]):
        row["n"] = n
    return True


def a_hash(random: Random, rows: Rows) -> bool:
    """Another hash of the state after an action."""
    row = random.choice(rows[1:])
    row["hash"] = row["hash"][::-1] if row["hash"] != row["hash"][::-1] else "0" * 32
    return True


def an_action(random: Random, rows: Rows) -> bool:
    """Another kind, side or unit in an action whose events stay as they were."""
    action = random.choice(rows[2:])["action"]
    key = random.choice([key for key in ("kind", "side", "unit", "target") if key in action])
    others = {row["action"][key] for row in rows[2:] if key in row["action"]} - {action[key]}
    action[key] = random.choice([*sorted(others), "nobody"])
    return True


def the_seed(random: Random, rows: Rows) -> bool:
    """Another seed: every die that was thrown is another."""
    rows[0]["seed"] += random.choice((1, -1, 1000))
    return bool(_events(rows, "thrown"))


FORGERIES: tuple[Forgery, ...] = (
    *(a_die, a_result, a_path, missing, doubled, reordered, moved_on, a_line, a_hash, an_action, the_seed),
    *(a_null_added, a_null_removed, an_unknown_key),
)


def _another(random: Random, data: Any) -> bool:
    """Change one value somewhere in ``data`` to another of its kind; False where there is none to change."""
    places = list(_values(data))
    if not places:
        return False
    holder, key = random.choice(places)
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, (int, float)):
        holder[key] = value + random.choice((1, -1, 2))
    elif value is None:
        holder[key] = "somebody"
    else:
        holder[key] = f"{value}s"
    return True


def _values(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every single value in ``data``: what holds it, and under which key; the kind of an event is left alone."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, (dict, list)):
            yield from _values(value)
        elif key != "event":
            yield data, key


def forged(raw: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield ``count`` forgeries of a game, signed again, with what was forged; none says what the original says."""
    random, whole, made = Random(seed), rows_of(raw), 0
    while made < count:
        forgery = FORGERIES[made % len(FORGERIES)] if random.random() < 0.5 else random.choice(FORGERIES)
        rows = copy.deepcopy(whole)
        if forgery(random, rows) and rows != whole:
            made += 1
            yield forgery.__name__, signed(rows)
