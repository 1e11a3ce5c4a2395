"""The wording of the questions that only these rules answer, and of their answers."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.battle.saying import Saying, listed
from tabletop.rules.asked import CHIEF, COVER_IN_ASSAULT, DELAYED, ONE, SHOT, Wording


def _arc(said: Saying) -> str:
    if said.verdict.holds:
        return f"Yes. Part of {said.b} lies in {said.a}'s arc of fire, bearing {said.got('bearing'):.1f} degrees."
    return f"No. {said.b} lies outside {said.a}'s arc of fire{said.why_not()}"


def _zone(said: Saying) -> str:
    inside = [said.name(id) for id in said.got("units") or ()]  # noqa: A001
    if not inside:
        return f"No enemy stands in {said.a}'s zone of control."
    return f"{listed(inside)} {'stands' if len(inside) == 1 else 'stand'} in {said.a}'s zone of control."


def _breakthrough(said: Saying) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not break through to {said.b}{said.why_not()}"
    cost, reach_left = said.got("cost"), said.got("left")
    return (
        f"Yes. {said.a} may break through and assault {said.b}: it costs {cost:.2f} of {said.length(reach_left)} left."
    )


def _fallback(said: Saying) -> str:
    distance = said.length(said.verdict.options.get("distance"))
    if not said.verdict.holds:
        if said.got("result") == "leaves":
            return f"No. {said.a} leaves the table in falling back {distance} from {said.enemy}{said.why_not()}"
        return f"No. {said.a} cannot fall back {distance} from {said.enemy} and surrenders{said.why_not()}"
    at, front = said.got("at"), said.got("front_mid")
    where = f", its centre to {said.place(at)}" if at else ""
    where += f", the middle of its front to {said.place(front)}" if front else ""
    return f"Yes. {said.a} falls back {distance} from {said.enemy}{where}."


def _command(said: Saying) -> str:
    general, gap = said.got(CHIEF), said.got("distance")
    if general is None:
        return f"No{said.why_not()}"
    where = f"{said.name(general)} is {said.length(gap)} away"
    if said.verdict.holds:
        return f"Yes. {said.a} is within command: {where}."
    return f"No. {said.a} is out of command: {where}."


def _cover(said: Saying) -> str:
    by = " against an assault" if said.verdict.options.get(COVER_IN_ASSAULT.option) else ""
    if said.verdict.holds:
        return f"Yes. {said.a} has {said.got('cover')} cover from {said.enemy}{by}."
    return f"No. {said.a} has no cover from {said.enemy}{by}."


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
