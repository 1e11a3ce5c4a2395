"""The answer to each question in one sentence or two, with the figure that decides."""

from __future__ import annotations

from tabletop.battle.saying import Saying, listed


def plain(said: Saying) -> str:
    return "Yes." if said.verdict.holds else f"No{said.why_not()}"


def distance(said: Saying) -> str:
    gap = said.got("distance")
    if gap == 0.0:
        return f"{said.a} and {said.b} touch."
    return f"{said.a} and {said.b} are {said.length(gap)} apart, nearest edge to nearest edge."


def los(said: Saying) -> str:
    if said.verdict.holds:
        return f"Yes. {said.a} sees {said.b}: the shortest clear line is {said.length(said.got('distance'))}."
    names = list(dict.fromkeys(said.name(id) for id in said.verdict.blockers))  # noqa: A001
    way = f": {listed(names)} {'is' if len(names) == 1 else 'are'} in the way" if names else ""
    return f"No. {said.a} does not see {said.b}{way}."


def fire(said: Saying) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not fire at {said.b}{said.why_not()}"
    cover = said.got("cover") or "none"
    covered = "no cover" if cover == "none" else f"{cover} cover"
    return f"Yes. {said.a} may fire at {said.b}: range {said.length(said.got('range'))}, {covered}."


def move(said: Saying) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not make this move{said.why_not()}"
    cost, allowed = said.got("cost"), said.got("allowed")
    if cost is None or allowed is None:
        return f"Yes. {said.a} may do this."
    return f"Yes. {said.a} may make this move: it costs {cost:.2f} of {said.length(allowed)}."


def reach(said: Saying) -> str:
    area = next((reason.measured for reason in said.verdict.because if reason.measured is not None), None)
    ground = (
        f"{area:.1f} square {said.battle.table.unit} of ground" if area is not None else "the ground in the diagram"
    )
    return f"{said.a} can end its move, by the middle of its front, anywhere on {ground}."


def assault(said: Saying) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not assault {said.b}{said.why_not()}"
    cost, reach = said.got("cost"), said.got("reach")
    way = "frontally" if said.got("frontal") else "in flank or rear"
    price = f": it costs {cost:.2f} of {said.length(reach)}" if cost is not None and reach is not None else ""
    return f"Yes. {said.a} may assault {said.b} {way}{price}."
