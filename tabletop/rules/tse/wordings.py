"""The wording of the questions that only these rules answer, and of their answers."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.battle.saying import Saying, listed
from tabletop.rules.asked import CHIEF, COVER_IN_ASSAULT, DELAYED, DRIVEN_BY_ASSAULT, ONE, SHOT, Wording


def _arc(saying: Saying) -> str:
    if saying.verdict.holds:
        return f"Yes. Part of {saying.b} lies in {saying.a}'s arc of fire, bearing {saying.got('bearing'):.1f} degrees."
    return f"No. {saying.b} lies outside {saying.a}'s arc of fire{saying.why_not()}"


def _zone(saying: Saying) -> str:
    inside = [saying.name(id) for id in saying.got("units") or ()]  # noqa: A001
    if not inside:
        return f"No enemy stands in {saying.a}'s zone of control."
    return f"{listed(inside)} {'stands' if len(inside) == 1 else 'stand'} in {saying.a}'s zone of control."


def _breakthrough(saying: Saying) -> str:
    if not saying.verdict.holds:
        return f"No. {saying.a} may not break through to {saying.b}{saying.why_not()}"
    cost, reach_left = saying.got("cost"), saying.got("left")
    return (
        f"Yes. {saying.a} may break through and assault {saying.b}: "
        f"it costs {cost:.2f} of {saying.length(reach_left)} left."
    )


def _fallback(saying: Saying) -> str:
    by = "an assault by " if saying.verdict.options.get(DRIVEN_BY_ASSAULT.option) else ""
    away = f"{saying.length(saying.verdict.options.get('distance'))} from {by}{saying.enemy}"
    if not saying.verdict.holds:
        if saying.got("result") == "leaves":
            return f"No. {saying.a} leaves the table in falling back {away}{saying.why_not()}"
        return f"No. {saying.a} cannot fall back {away} and surrenders{saying.why_not()}"
    at, front = saying.got("at"), saying.got("front_mid")
    where = f", its centre to {saying.place(at)}" if at else ""
    where += f", the middle of its front to {saying.place(front)}" if front else ""
    return f"Yes. {saying.a} falls back {away}{where}."


def _command(saying: Saying) -> str:
    general, gap = saying.got(CHIEF), saying.got("distance")
    if general is None:
        return f"No{saying.why_not()}"
    where = f"{saying.name(general)} is {saying.length(gap)} away"
    if saying.verdict.holds:
        return f"Yes. {saying.a} is within command: {where}."
    return f"No. {saying.a} is out of command: {where}."


def _cover(saying: Saying) -> str:
    by = " against an assault" if saying.verdict.options.get(COVER_IN_ASSAULT.option) else ""
    if saying.verdict.holds:
        return f"Yes. {saying.a} has {saying.got('cover')} cover from {saying.enemy}{by}."
    return f"No. {saying.a} has no cover from {saying.enemy}{by}."


WORDINGS: Mapping[str, Wording] = {
    "arc": Wording(
        "Arc", "Is it in the arc of fire?", SHOT,
        sentence="Is any of {1} in the arc of fire of {0}?", headline=_arc,
    ),
    "breakthrough": Wording(
        "Break through", "Having beaten one enemy, may it go on and assault another?",
        (
            ("unit", "Click the cavalry, where its assault begins."), ("after", "Now the enemy it has beaten."),
            ("unit", "Now whom it goes on to assault."),
        ),
        ticks=(DELAYED,),
        sentence="May {0}, having beaten {after}, go on and assault {1}?", headline=_breakthrough,
    ),
    "fallback": Wording(
        "Fall back", "Can it fall back, and where to?",
        (("unit", "Click the unit that falls back."), ("from", "Now the enemy it falls back from.")), ("distance",),
        (DRIVEN_BY_ASSAULT,),
        sentence="Can {0} fall back from {from}?", headline=_fallback,
    ),
    "cover": Wording(
        "Cover", "Has it cover from the other?",
        (("unit", "Click the unit in cover."), ("from", "Now the enemy.")), ticks=(COVER_IN_ASSAULT,),
        sentence="Has {0} cover from {from}?", headline=_cover,
    ),
    "command": Wording(
        "Command", "Is it in command, and whose?", ONE,
        sentence="Is {0} under command?", headline=_command,
    ),
    "zone": Wording(
        "Zone", "Its zone of control, and who stands in it", ONE,
        sentence="What does {0} hold under its zone of control?", headline=_zone,
    ),
    "ground": Wording("Ground", "All the ground it sees", ONE, sentence="What ground does {0} see?"),
    "line": Wording(
        "Line", "Is the line clear?", (("start", "Click a point."), ("end", "Now another point.")),
        sentence="Is the line clear?",
    ),
}  # fmt: skip
