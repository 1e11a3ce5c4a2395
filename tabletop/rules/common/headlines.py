"""The answer to each question in one or two sentences, with the deciding figure."""

from __future__ import annotations

from tabletop.battle.saying import Saying, listed


def plain(saying: Saying) -> str:
    """Return "Yes.", or "No" with the first reason against.

    >>> from tabletop.geometry.verdict import Verdict
    >>> from tabletop.play.files.opened import open_battle
    >>> plain(Saying(Verdict("fire", ("heron", "zeeland"), "sail", True), open_battle("raking")))
    'Yes.'
    """
    return "Yes." if saying.verdict.holds else f"No{saying.why_not()}"


def distance(saying: Saying) -> str:
    """Return a sentence saying how far apart two units are, with the table's unit.

    >>> from tabletop.geometry.verdict import Verdict
    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = Verdict("distance", ("french-1", "prussian-1"), "realm-of-chance", True, {"distance": 50.0})
    >>> distance(Saying(verdict, open_battle("drill-ground")))
    'French battalion and Prussian battalion are 50.00 mm apart, nearest edge to nearest edge.'
    """
    gap = saying.got("distance")
    if gap == 0.0:
        return f"{saying.a} and {saying.b} touch."
    return f"{saying.a} and {saying.b} are {saying.length(gap)} apart, nearest edge to nearest edge."


def los(saying: Saying) -> str:
    """Return a sentence saying whether one unit sees another, with the shortest clear line or what is in the way.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.sight.judge import los as asked
    >>> from tabletop.rules.rule_set import Request
    >>> battle = open_battle("drill-ground")
    >>> los(Saying(asked(battle, Request("los", ("french-1", "prussian-1"))), battle))
    'Yes. French battalion sees Prussian battalion: the shortest clear line is 50.00 mm.'
    """
    if saying.verdict.holds:
        return f"Yes. {saying.a} sees {saying.b}: the shortest clear line is {saying.length(saying.got('distance'))}."
    names = list(dict.fromkeys(saying.name(id) for id in saying.verdict.blockers))  # noqa: A001
    way = f": {listed(names)} {'is' if len(names) == 1 else 'are'} in the way" if names else ""
    return f"No. {saying.a} does not see {saying.b}{way}."


def fire(saying: Saying) -> str:
    """Return a sentence saying whether one unit may fire at another: range and cover, or the first reason against.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.fire.judge import fire as asked
    >>> battle = open_battle("starter")
    >>> fire(Saying(asked(battle, Request("fire", ("kessler-guns", "daumas"))), battle))
    "Yes. Kessler's battery may fire at Daumas: range 8.96 in, no cover."
    """
    if not saying.verdict.holds:
        return f"No. {saying.a} may not fire at {saying.b}{saying.why_not()}"
    cover = saying.got("cover") or "none"
    covered = "no cover" if cover == "none" else f"{cover} cover"
    return f"Yes. {saying.a} may fire at {saying.b}: range {saying.length(saying.got('range'))}, {covered}."


def move(saying: Saying) -> str:
    """Return a sentence saying whether a move may be made: cost and allowance, or the first reason against.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.movement.judge import move as asked
    >>> battle = open_battle("starter")
    >>> move(Saying(asked(battle, Request("move", ("arnaud",), {"path": [(8.4, 9.0)]})), battle))
    'Yes. Arnaud may make this move: it costs 2.32 of 6.00 in.'
    """
    if not saying.verdict.holds:
        return f"No. {saying.a} may not make this move{saying.why_not()}"
    cost, allowed = saying.got("cost"), saying.got("allowed")
    if cost is None or allowed is None:
        return f"Yes. {saying.a} may do this."
    return f"Yes. {saying.a} may make this move: it costs {cost:.2f} of {saying.length(allowed)}."


def reach(saying: Saying) -> str:
    """Return a sentence saying how much ground a unit can reach.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.movement.reach import reach as asked
    >>> from tabletop.rules.rule_set import Request
    >>> battle = open_battle("drill-ground")
    >>> reach(Saying(asked(battle, Request("reach", ("colonel",))), battle))
    'Colonel can end its move, by the middle of its front, anywhere on 45681.8 square mm of ground.'
    """
    area = next((reason.measured for reason in saying.verdict.because if reason.measured is not None), None)
    ground = (
        f"{area:.1f} square {saying.battle.table.unit} of ground" if area is not None else "the ground in the diagram"
    )
    return f"{saying.a} can end its move, by the middle of its front, anywhere on {ground}."


def assault(saying: Saying) -> str:
    """Return a sentence saying whether one unit may assault another: how and at what cost, or why not.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.rule_set import Request
    >>> from tabletop.rules.tse.assault.judge import assault as asked
    >>> battle = open_battle("front-or-flank")
    >>> assault(Saying(asked(battle, Request("assault", ("west-column", "west-line"))), battle))
    'Yes. West column may assault West line frontally: it costs 5.66 of 6.00 in.'
    """
    if not saying.verdict.holds:
        return f"No. {saying.a} may not assault {saying.b}{saying.why_not()}"
    cost, reach = saying.got("cost"), saying.got("reach")
    way = "frontally" if saying.got("frontal") else "in flank or rear"
    price = f": it costs {cost:.2f} of {saying.length(reach)}" if cost is not None and reach is not None else ""
    return f"Yes. {saying.a} may assault {saying.b} {way}{price}."
