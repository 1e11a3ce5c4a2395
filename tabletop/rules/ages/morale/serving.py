"""Who serves guns whose crew has run: a friendly unit that touches them and does not rout."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.verdict import Reason, Verdict, against_first
from tabletop.rules.ages.morale.status import ROUTING, abandoned
from tabletop.rules.ages.tables import ARTILLERY, arm, length
from tabletop.rules.common.distance import nearest_between
from tabletop.rules.common.ruled import either
from tabletop.rules.rule_set import Influence, Request

RULE = "SQP-TST-08"


def state_reasons(unit: Unit, gun: Unit) -> tuple[Reason, ...]:
    """Return the reasons for and against a unit's serving guns, wherever the two stand (SQP-TST-08).

    The guns must be a battery whose crew has run. A friendly unit serves them that does not rout, no general or staff
    officer, and no battery whose own crew has run.

    >>> from dataclasses import replace
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> guns = replace(battle.unit("french-guns"), marks={"abandoned": True})
    >>> [all(state_reasons(battle.unit(name), guns)) for name in ("french-1", "prussian-1", "colonel")]
    [True, False, False]
    """
    him, guns = unit.called, gun.called
    battery = not gun.is_general and arm(gun) == ARTILLERY
    with_it = f"the crew of {guns} is with it" if battery else f"{guns} is no battery"
    against = (
        (unit.is_general, f"{him} is a general or staff officer, and serves no guns"),
        (abandoned(unit), f"the crew of {him} has run too"),
    )
    return (
        either(RULE, battery and abandoned(gun), f"the crew of {guns} has run", with_it),
        either(RULE, unit.side == gun.side, f"{him} is of its side", f"{guns} is the enemy's"),
        either(RULE, unit.status != ROUTING, f"{him} does not rout", f"{him} routs"),
        *(Reason(RULE, False, text) for so, text in against if so),
    )


def reasons(battle: Battle, unit: Unit, gun: Unit) -> tuple[Reason, ...]:
    """Return the reasons for and against a unit's serving guns where it stands: it must touch them (SQP-TST-08).

    Distances are in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("the-crew-has-run")
    >>> [reasons(battle, battle.unit(f"foot-{k}"), battle.unit(f"guns-{k}"))[-1].text for k in ("west", "middle")]
    ['5e Ligne is 0.4 mm from 1re batterie', '12e Ligne is 0.7 mm from 2e batterie']
    """
    gap, contact = distance_between(gun, unit), length(battle, "contact")
    near = Reason(
        RULE, battle.tape.at_most(gap, contact), f"{unit.called} is {gap:.1f} mm from {gun.called}", gap, contact
    )
    return (*state_reasons(unit, gun), near)


def serve_again(unfolding: Unfolding, side: str) -> None:
    """Let friends who touch abandoned guns and do not rout serve them again (SQP-TST-08).

    Other abandoned guns serve nobody.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> unfolding = Unfolding(battle.with_unit(battle.unit("french-2").moved(30.0, 0.0)))
    >>> unfolding.mark("french-guns", abandoned=True)
    >>> serve_again(unfolding, "french")
    >>> abandoned(unfolding.unit("french-guns"))
    False
    """
    battle = unfolding.battle
    for gun in battle.side(side):
        if abandoned(gun) and any(all(reasons(battle, unit, gun)) for unit in battle.friends(gun)):
            unfolding.mark(gun.id, abandoned=None)


def serve(battle: Battle, request: Request) -> Verdict:
    """Answer ``serve A B``: whether A may serve the guns B, whose crew has run (SQP-TST-08).

    ``measured["distance"]`` is the gap between the two in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("the-crew-has-run")
    >>> [serve(battle, Request("serve", (f"foot-{k}", f"guns-{k}"))).holds for k in ("west", "middle", "east")]
    [True, False, False]
    """
    unit, gun = (battle.unit(name) for name in request.args)
    found, line = reasons(battle, unit, gun), nearest_between(unit, gun)
    holds = all(found)
    return Verdict(
        "serve",
        request.args,
        battle.rules,
        holds,
        {"distance": distance_between(gun, unit)},
        against_first(found),
        witness=line if holds else None,
        options=request.options,
        shapes=(line_shape("witness" if holds else "blocked", line, f"{distance_between(gun, unit):.1f} mm"),),
    )


def hopeless(battle: Battle, request: Request, far: float) -> bool:
    """Return whether no shift by up to ``far`` lets a unit serve guns, as their states do not allow it (SQP-TST-08).

    ``far`` is in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("the-crew-has-run")
    >>> [hopeless(battle, Request("serve", (f"foot-{k}", f"guns-{k}")), 50.0) for k in ("middle", "east")]
    [False, True]
    """
    unit, gun = (battle.unit(name) for name in request.args)
    return not all(state_reasons(unit, gun))


def of_the_two(battle: Battle, request: Request, verdict: Verdict, far: float) -> Influence:
    """Return the influence on who serves guns: nothing but the two units (SQP-TST-08).

    ``far`` is how far things may be shifted, in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle, request = open_battle("the-crew-has-run"), Request("serve", ("foot-west", "guns-west"))
    >>> of_the_two(battle, request, serve(battle, request), 50.0).units is None
    True
    """
    return Influence()
