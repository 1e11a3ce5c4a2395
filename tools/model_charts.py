"""What the model of chance amounts to: exact figures and charts of There Stand Empires.

    python -m tools.model_charts           write docs/pictures/model-*.svg and docs/tse-model.md
    python -m tools.model_charts --check   check whether they are up to date; status 1 if not

Every figure is computed by the calculator's own functions, run once for every course chance can take; those about whole
battles come from battles fought and kept (tools/battles.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.battle.dice import every_course
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.drawing.svg import svg
from tabletop.rules.tse.calculator import calculator, model
from tabletop.rules.tse.calculator.calculator import CalculatorResult
from tabletop.rules.tse.calculator.forms import filled
from tabletop.rules.tse.calculator.model_data import QUALITIES
from tools import battles
from tools.charts import Bar, Curve, Group, Kind, bars, columns, curves

ROOT = Path(__file__).resolve().parent.parent
PICTURES, DOCUMENT = ROOT / "docs/pictures", ROOT / "docs/tse-model.md"
TEMPLATE = ROOT / "tools/model_document.md"

FIRE_KINDS = (
    Kind("no effect", "#e4ddc8"),
    Kind("disordered", "#f3c27e"),
    Kind("disordered and falls back", "#e0903c"),
    Kind("demoralized and falls back", "#bb5a16"),
    Kind("demoralized with loss", "#86350a"),
    Kind("broken", "#3d1703"),
)
ASSAULT_KINDS = (
    Kind("demoralized by fire, or worse", "#5c1d06"),
    Kind("thrown back by fire, disordered", "#a8480f"),
    Kind("stopped short by fire", "#dd8a3a"),
    Kind("routed hand to hand", "#8a5f86"),
    Kind("pushed back to its start", "#c4a3bf"),
    Kind("both disordered, in contact", "#e4ddc8"),
    Kind("target pushed back", "#9cc7e0"),
    Kind("target routed", "#3f8fbf"),
    Kind("target routed with loss, or broken", "#0d4a72"),
)
#: The kind in the chart of each outcome of an assault.
ASSAULT_OUTCOMES = {
    "broken by fire": 0,
    "thrown back to its start and demoralized with loss": 0,
    "thrown back to its start and demoralized": 0,
    "thrown back to its start and disordered": 1,
    "stopped short and disordered": 2,
    "stopped short and demoralized": 0,
    "assaulter routed with loss": 3,
    "assaulter routed": 3,
    "assaulter pushed back to its start": 4,
    "both disordered with loss": 5,
    "both disordered": 5,
    "target pushed back": 6,
    "target routed": 7,
    "target routed with loss": 8,
    "target routed with heavy loss": 8,
    "target broken": 8,
}
ORDER_KINDS = (Kind("lost", "#86350a"), Kind("delayed", "#e8a95a"), Kind("received", "#9cc7e0"))
REGROUP_KINDS = (Kind("fails", "#86350a"), Kind("one step better", "#9cc7e0"), Kind("fully rallied", "#0d4a72"))

BATTLE_KINDS = (
    Kind(f"army morale before turn {battles.FIRST}", "#e8a95a"),
    Kind(f"army morale, turns {battles.FIRST} to {battles.LAST}", "#3f8fbf"),
    Kind("army morale, later", "#0d4a72"),
    Kind("otherwise: points, nobody left", "#cdbf9f"),
)

INFANTRY = {"actor": "average infantry", "target": "average infantry", "target_formation": "deployed"}
BOXES = (
    ("badly outnumbered", "actor-badly-outnumbered"),
    ("outnumbered", "actor-outnumbered"),
    ("even", "forces-even"),
    ("outnumbering", "target-outnumbered"),
    ("badly outnumbering", "target-badly-outnumbered"),
)
FORMATIONS = (("line", "deployed"), ("column", "maneuver-column"), ("square", "square"), ("marching", "march-column"))
COVERS = ("none", "soft", "hard", "fortification")


# --- exact figures ---------------------------------------------------------------------------------------------------


def _shares(
    told: Callable[[Any], CalculatorResult], number: Callable[[CalculatorResult], int], kinds: int
) -> tuple[float, ...]:
    shares = [0.0] * kinds
    for probability, result in every_course(told):
        shares[number(result)] += probability
    return tuple(shares)


def fire(action: str = "deployed-fire", **fields: Any) -> tuple[float, ...]:
    """Return the exact share of every outcome of a shot; by default average infantry at average infantry in line."""
    form = filled(action, {**INFANTRY, "range": "0-3", **fields})
    names = [kind.name for kind in FIRE_KINDS]
    return _shares(lambda c: calculator.fired(action, form, c), lambda told: names.index(told.outcome), len(names))


def assault(**fields: Any) -> tuple[float, ...]:
    """Return the exact share of every kind of outcome of an assault that has its orders."""
    form = filled("assault", {**INFANTRY, **fields})
    return _shares(
        lambda c: calculator.assaulted(form, c), lambda told: ASSAULT_OUTCOMES[told.outcome], len(ASSAULT_KINDS)
    )


def beaten(shares: Sequence[float]) -> float:
    """Return the share in which an assault drives off its target."""
    return sum(shares[6:])


def repelled(shares: Sequence[float]) -> float:
    """Return the share in which it is thrown back, stopped, or beaten hand to hand."""
    return sum(shares[:5])


def even_match(better: str, worse: str) -> float:
    """Return the share of decided frontal assaults on a line that the better infantry wins, each attacking in turn."""
    one = assault(actor=f"{better} infantry", target=f"{worse} infantry")
    other = assault(actor=f"{worse} infantry", target=f"{better} infantry")
    won = beaten(one) + repelled(other)
    return won / (won + repelled(one) + beaten(other))


def duel(better: str, worse: str) -> float:
    """Return the chance that the better of two lines in a fire duel is the first to shake the other.

    They fire in turn, each equally likely to fire first.
    """
    one, other = (
        1.0 - fire(actor=f"{a} infantry", target=f"{b} infantry")[0] for a, b in ((better, worse), (worse, better))
    )
    either = 1.0 - (1.0 - one) * (1.0 - other)
    return 0.5 * (one + (1.0 - other) * one) / either


# --- charts ----------------------------------------------------------------------------------------------------------


def fire_of_infantry() -> Drawing:
    """Return the chart of infantry fire by formation, cover, numbers and quality."""
    by_formation = [Bar(f"deployed fire at a {n}", fire(target_formation=f)) for n, f in FORMATIONS[:3]]
    by_formation.append(Bar("deployed fire at marching troops", fire(target_formation="march-column")))
    by_formation += [
        Bar(f"advancing fire at a {n}", fire("advancing-fire", target_formation=f)) for n, f in FORMATIONS[:2]
    ]
    groups = (
        Group("Target's formation", tuple(by_formation)),
        Group("Cover of a line", tuple(Bar(cover, fire(cover=cover)) for cover in COVERS)),
        Group("Numbers, at a line", tuple(Bar(name, fire(odds=box)) for name, box in BOXES)),
        Group("Shooter's quality, at a line", tuple(Bar(q, fire(actor=f"{q} infantry")) for q in QUALITIES)),
        Group("Condition, at a line", (
            Bar("disordered firer", fire(actor_disordered=True)),
            Bar("disordered or demoralized target", fire(target_disordered=True)),
        )),
    )  # fmt: skip
    note = "One shot of average infantry at average infantry, even numbers, no cover, unless said. Per cent."
    return bars("Infantry fire", note, FIRE_KINDS, groups)


def fire_of_guns() -> Drawing:
    """Return the chart of artillery fire by range, formation and cover."""

    def at(troops: str, band: str, **more: Any) -> Bar:
        return Bar(f"{band} in", fire(actor=troops, range=band, odds="actor-badly-outnumbered", **more))

    bands = ("0-3", "3-6", "6-9", "9-12")
    groups = (
        Group("Heavy foot artillery at a line", tuple(at("heavy-foot-artillery", b) for b in bands)),
        Group("Heavy foot artillery at a column", tuple(
            at("heavy-foot-artillery", b, target_formation="maneuver-column") for b in bands
        )),
        Group("Light foot or horse artillery at a line", tuple(at("light-foot-artillery", b) for b in bands[:3])),
        Group("Light foot or horse artillery at a column", tuple(
            at("light-foot-artillery", b, target_formation="maneuver-column") for b in bands[:3]
        )),
        Group("Light foot artillery at a column behind hard cover", tuple(
            at("light-foot-artillery", b, target_formation="maneuver-column", cover="hard") for b in bands[:3]
        )),
    )  # fmt: skip
    note = "One shot of a deployed battery at average infantry of twice its bases or more. Per cent."
    return bars("Artillery fire", note, FIRE_KINDS, groups)


def assaults_of_infantry() -> Drawing:
    """Return the chart of infantry assaults by quality, odds, cover, and direction."""
    groups = (
        Group("Assaulter against an average line", tuple(Bar(q, assault(actor=f"{q} infantry")) for q in QUALITIES)),
        Group("Average assaulter against a line", tuple(Bar(q, assault(target=f"{q} infantry")) for q in QUALITIES)),
        Group("Numbers", tuple(Bar(name, assault(odds=box)) for name, box in BOXES)),
        Group("Cover of the line", tuple(Bar(cover, assault(cover=cover)) for cover in COVERS)),
        Group("Twice the numbers against cover", tuple(
            Bar(cover, assault(cover=cover, odds="target-badly-outnumbered")) for cover in COVERS[1:]
        )),
        Group("The target", (
            Bar("in column", assault(target_formation="maneuver-column")),
            Bar("in square", assault(target_formation="square")),
            Bar("marching", assault(target_formation="march-column")),
            Bar("taken in flank or rear", assault(frontal=False)),
            Bar("disordered", assault(target_disordered=True)),
            Bar("demoralized", assault(target_disordered=True, target_demoralized=True)),
            Bar("heavy guns in front", assault(target="heavy-foot-artillery", odds="target-badly-outnumbered")),
        )),
        Group("The assaulter", (Bar("disordered", assault(actor_disordered=True)),)),
    )  # fmt: skip
    note = "Average infantry on an average line, frontal, even, no cover, unless said; orders received. Per cent."
    return bars("Infantry assaults", note, ASSAULT_KINDS, groups)


def assaults_of_cavalry() -> Drawing:
    """Return the chart of cavalry assaults on infantry, cavalry and guns."""

    def on_infantry(troops: str) -> Iterator[Bar]:
        for name, formation in FORMATIONS:
            yield Bar(f"a {name}" if name != "marching" else name, assault(actor=troops, target_formation=formation))
        yield Bar("a line in flank", assault(actor=troops, frontal=False))
        yield Bar("a disordered line", assault(actor=troops, target_disordered=True))

    def on_cavalry(actor: str, target: str) -> Iterator[Bar]:
        for word, meets in (("countercharges", True), ("stands", False)):
            form = {"actor": f"average {actor}", "target": f"average {target}", "target_formation": "maneuver-column"}
            yield Bar(
                f"{actor.split('-')[0]} on {target.split('-')[0]}, who {word}", assault(**form, countercharge=meets)
            )

    guns = {"target": "light-foot-artillery", "odds": "target-badly-outnumbered", "actor": "average light-cavalry"}
    groups = (
        Group("Average light cavalry on average infantry", tuple(on_infantry("average light-cavalry"))),
        Group("Average heavy cavalry on average infantry", tuple(on_infantry("average heavy-cavalry"))),
        Group("Elite heavy cavalry on average infantry", tuple(on_infantry("elite heavy-cavalry"))),
        Group("Cavalry on cavalry", tuple(
            bar for a in ("light-cavalry", "heavy-cavalry") for b in ("light-cavalry", "heavy-cavalry")
            for bar in on_cavalry(a, b)
        )),
        Group("Average light cavalry on a deployed battery", (
            Bar("in front", assault(**guns)), Bar("in flank", assault(**guns, frontal=False)),
        )),
    )  # fmt: skip
    note = "Even numbers, frontal, no cover, unless said; orders received; emergency squares included. Per cent."
    return bars("Cavalry assaults", note, ASSAULT_KINDS, groups)


def orders() -> Drawing:
    """Return the chart of orders."""
    actions = (("Maneuver, march", "maneuver"), ("Assault", "assault"), ("Deploy, form square", "deploy"))
    groups = [
        Group(label, tuple(
            Bar(f"{q}{', general near' if near else ''}", model.order_chances("infantry", q, action, near))
            for near in (False, True) for q in QUALITIES
        ))
        for label, action in actions
    ]  # fmt: skip
    note = "Artillery counts as average, transport as poor. A general is near within 6 in. Per cent."
    return bars("Orders", note, ORDER_KINDS, groups)


def regrouping() -> Drawing:
    """Return the chart of regrouping."""
    cases = [("infantry", q, q) for q in QUALITIES] + [
        ("light-foot-artillery", "", "artillery"),
        ("transport", "", "transport"),
    ]
    groups = [
        Group(f"{status.capitalize()}{', general near' if near else ''}", tuple(
            Bar(label, model.regroup_chances(troops, quality, status == "demoralized", near))
            for troops, quality, label in cases
        ))
        for status in ("disordered", "demoralized") for near in (False, True)
    ]  # fmt: skip
    note = "A disordered unit has one step to go: any success rallies it fully. Per cent."
    return bars("Regrouping", note, REGROUP_KINDS, groups)


def army_morale() -> Drawing:
    """Return the curves of army morale."""
    shares = [0.5 + k / 100 for k in range(51)]
    cases = (("all of them destroyed", 1.0, "#a8480f"), ("all of them demoralized", 0.0, "#0d4a72"))
    lines = [
        Curve(name, tuple((s, model.break_chance(s, False, s * destroyed)) for s in shares), colour)
        for name, destroyed, colour in cases
    ]
    more = model.break_chance(0.6, True) - model.break_chance(0.6, False)
    axes = ("per cent of its units destroyed or demoralized", "chance that it breaks, per cent")
    note = "Drawn at most once a turn, when something more is lost; never below half. "
    return curves("Army morale", f"{note}A lost senior general adds {100 * more:.0f}.", axes, 0.5, lines)


def ends_of_battles() -> Drawing:
    """Return the chart of how the recorded battles ended, and whether in time."""
    recorded = battles.kept()
    rows = [Bar(m.label, battles.shares(recorded[m.name])) for m in battles.MATCHES if m.name in recorded]
    note = "Armies alike; the last turn is 20. Per cent."
    return bars("How battles end", note, BATTLE_KINDS, (Group("Fought by computer players", tuple(rows)),))


def turns_of_battles() -> Drawing:
    """Return the chart of the turns in which full-size battles between sensible players ended."""
    recorded, full = battles.kept(), [m for m in battles.MATCHES if m.full_size]
    turns = [[battle.turn for battle in recorded.get(m.name, ())] for m in full]
    counts = [[ended.count(turn) for ended in turns] for turn in range(1, battles.MOST + 1)]
    kinds = [Kind(m.label, colour) for m, colour in zip(full, ("#3f8fbf", "#0d4a72"), strict=True)]
    meant = range(battles.FIRST, battles.LAST + 1)
    note = f"Turns {meant[0]} to {meant[-1]} are what the model is set to; turn {battles.MOST} is the last."
    return columns("When full-size battles end", note, ("turn", "battles that ended in it"), kinds, counts, meant)


CHARTS: Mapping[str, Callable[[], Drawing]] = {
    "model-infantry-fire": fire_of_infantry,
    "model-artillery-fire": fire_of_guns,
    "model-infantry-assaults": assaults_of_infantry,
    "model-cavalry-assaults": assaults_of_cavalry,
    "model-orders": orders,
    "model-regrouping": regrouping,
    "model-army-morale": army_morale,
    "model-ends-of-battles": ends_of_battles,
    "model-turns-of-battles": turns_of_battles,
}


# --- the document ----------------------------------------------------------------------------------------------------


def per_cent(value: float) -> str:
    return f"{100 * value:.1f} %"


def figures() -> dict[str, str]:
    """Return the figures that the document quotes, by their names in it."""
    hard = assault(cover="hard")
    squares = [
        assault(actor=f"{q} {c}-cavalry", target_formation="square") for q in QUALITIES for c in ("light", "heavy")
    ]
    values = {
        "elite_match": even_match("elite", "average"),
        "elite_duel": duel("elite", "average"),
        "elite_column": _decided(assault(actor="elite infantry", target_formation="maneuver-column")),
        "hard_repelled": repelled(hard),
        "hard_beaten": beaten(hard),
        "square_least": min(repelled(s) for s in squares),
        "square_most": max(beaten(s) for s in squares),
        "line_fire": sum(assault()[:3]),
        "line_melee": sum(assault()[3:5]),
        "line_beaten": beaten(assault()),
        "guns_front": sum(assault(target="light-foot-artillery", odds="target-badly-outnumbered")[:3]),
        "fire_line": 1.0 - fire()[0],
        "fire_column": 1.0 - fire(target_formation="maneuver-column")[0],
        "fire_advancing": 1.0 - fire("advancing-fire")[0],
        "canister": 1.0 - fire(actor="light-foot-artillery", odds="actor-badly-outnumbered")[0],
        "guns_middle": 1.0 - fire(actor="light-foot-artillery", range="3-6", odds="actor-badly-outnumbered")[0],
        "guns_far": 1.0 - fire(actor="heavy-foot-artillery", range="9-12", odds="actor-badly-outnumbered")[0],
    }
    return {name: per_cent(value) for name, value in values.items()}


def _decided(shares: Sequence[float]) -> float:
    return beaten(shares) / (beaten(shares) + repelled(shares))


def document() -> str:
    """Return the document with its figures filled in."""
    text = TEMPLATE.read_text("utf-8")
    for name, value in figures().items():
        assert f"[{name}]" in text, f"{TEMPLATE.name} does not quote {name}"
        text = text.replace(f"[{name}]", value)
    return text.replace("[battles]", battles.table())


def files() -> dict[Path, str]:
    """Return every file to be made, with its text."""
    return {**{PICTURES / f"{name}.svg": svg(chart()) for name, chart in CHARTS.items()}, DOCUMENT: document()}


def main(arguments: list[str]) -> int:
    """Write the files, or check them; return 1 if one is out of date."""
    for label in battles.missing():
        print(f"not fought out with the numbers of today: {label}: python -m tools.battles")
    made = files()
    if "--check" in arguments:
        stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
        print("\n".join(f"{path.relative_to(ROOT)} is not up to date: python -m tools.model_charts" for path in stale))
        return 1 if stale or battles.missing() else 0
    for path, text in made.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
