"""The question ``cover``: what cover does the attacked part of a unit have?"""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import line_shape, shapes_of
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.fire.cover import assault_cover, cover_reason, fire_cover
from tabletop.rules.tse.fire.weaker_cover import any_fire_cover


def cover(battle: Battle, request: Request) -> Verdict:
    """Answer ``cover A --from B [--assault]``: the cover of the part of A attacked (TSE-COV-01..10, TSE-FIR-27).

    ``measured["cover"]`` is none, soft, hard or fortification. Raises BadQuestion without ``from``.

    >>> from tabletop.play.files.opened import open_battle
    >>> cover(open_battle("starter"), Request("cover", ("auer",), {"from": "morel-guns"})).measured["cover"]
    'none'
    """
    unit, attacker = _asked(battle, request)
    if request.brief and not request.options.get("assault"):
        hints, shifted = request.options.get("hints", ()), request.options.get("shifted")
        covered, line = any_fire_cover(battle, unit, attacker, hints, shifted)
        return Verdict("cover", request.args, battle.rules, covered, witness=line)
    result = (
        assault_cover(battle, unit, attacker) if request.options.get("assault") else fire_cover(battle, unit, attacker)
    )
    return Verdict(
        "cover",
        request.args,
        battle.rules,
        result.rank > 0,
        {"cover": result.name},
        (cover_reason(unit, result),),
        witness=result.lines[0] if result.lines and result.rank else None,
        options=request.options,
        shapes=(
            *(shape for i in result.bases for shape in shapes_of("target", unit.bases[i].polygon)),
            *(line_shape("tape", line) for line in result.lines),
            *(
                (line_shape("witness", result.shows.line, f"{result.shows.beside:.2f} past the end"),)
                if result.shows and not result.rank
                else ()
            ),
        ),
    )


def _asked(battle: Battle, request: Request) -> tuple[Unit, Unit]:
    unit, source = battle.unit(request.args[0]), request.options.get("from")
    if source is None:
        raise BadQuestion("'cover' needs the attacker: cover A --from B")
    attacker = battle.unit(source)
    if attacker.id == unit.id:
        raise BadQuestion(f"'{unit.id}' cannot attack itself; name another unit in --from")
    for named in (unit, attacker):
        if named.is_general:
            raise BadQuestion(f"'{named.id}' is a general, who neither attacks nor is attacked; name a unit")
    return unit, attacker
