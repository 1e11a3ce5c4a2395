"""The fields of the family's forms, and when each one is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.rules.ages.combat.zones import FLANK, FRONT, REAR
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING
from tabletop.rules.ages.movement.layouts import OF_ARM, ROUND, SQUARE, of_arm
from tabletop.rules.ages.tables import ARTILLERY, CAPTAIN, CAVALRY, INFANTRY, Profile
from tabletop.rules.calculator import Field
from tabletop.rules.common.calculators import YES_NO, Form

#: Which general is with a unit, and what advantage of ground it has over its enemy.
NOBODY, GENERAL = "none", "general"
LEVEL, BETTER, WORKS = "even", "better", "works"
#: How many arms act together against a unit.
ARMS = ("one", "two", "three")
ATTACKING = (INFANTRY, CAVALRY)


def kinds(profile: Profile, *arms: str) -> tuple[str, ...]:
    """Return the calculator's names for the troops of the armies, quality first, such as "french-line infantry"."""
    return tuple(f"{quality} {troop}" for troop, quality in profile.rows if profile.troops[troop].arm in arms)


def split(kind: str) -> tuple[str, str]:
    """Return the troops and the quality of a kind.

    >>> split("french-line infantry")
    ('infantry', 'french-line')
    """
    quality, _, troop = kind.rpartition(" ")
    return troop, quality


def fields(profile: Profile) -> Mapping[str, Field]:
    """Return every field of the forms of a rule set by name."""
    generals = (NOBODY, GENERAL, *((CAPTAIN,) if "captain" in profile.tables["rally"] else ()))
    ground = (LEVEL, BETTER, *((WORKS,) if profile.tables["combat"].get("works") else ()))
    formations = tuple(formation for arm in OF_ARM for formation in of_arm(profile, arm))
    guns = tuple(name for name, troop in profile.troops.items() if troop.arm == ARTILLERY)
    own = profile.cites

    def made(
        name: str, label: str, values: tuple[str | bool, ...], rule: str, usual: str | int | bool | None = None
    ) -> Field:
        return Field(name, label, values, own.get(rule, rule), usual)

    form_fields = (
        made("attacker", "Attacker", kinds(profile, *ATTACKING), "ROC-CBT-03"),
        made("attacker_bases", "Bases of the attacker", (), "ROC-CBT-03"),
        made("attacker_state", "The attacker is", (OK, DISRUPTED), "ROC-CBT-03", OK),
        made("defender", "Defender", kinds(profile, *ATTACKING, ARTILLERY), "ROC-CBT-03"),
        made("defender_bases", "Bases of the defender", (), "ROC-CBT-03"),
        made("defender_formation", "Defender formed in", tuple(dict.fromkeys(formations)), "ROC-ART-06"),
        made("defender_state", "The defender is", (OK, DISRUPTED, ROUTING), "ROC-CBT-03", OK),
        made("further_strength", "Strength of other attackers in this combat", (), "ROC-CBT-03", 0),
        made("arms", "Arms attacking", ARMS, "ROC-CBT-04", ARMS[0]),
        made("direction", "Attacked from the", (FRONT, FLANK, REAR), "ROC-CBT-05", FRONT),
        made("attacker_ground", "Attacker's ground", ground, "ROC-CBT-06", LEVEL),
        made("defender_ground", "Defender's ground", ground, "ROC-CBT-06", LEVEL),
        made("charging", "Does the attacker charge?", YES_NO, "ROC-CBT-07", False),
        made("first_contact", "Is this the first turn of contact?", YES_NO, "DES-CAV-02", False),
        made("attacker_general", "Attacker's general", generals, "ROC-CBT-09", NOBODY),
        made("defender_general", "Defender's general", generals, "ROC-CBT-09", NOBODY),
        made("guns", "Guns", guns, "ROC-ART-02"),
        made("range", "Range in mm", (), "ROC-ART-03"),
        made("unit", "Unit", kinds(profile, *ATTACKING, ARTILLERY), "ROC-RAL-03"),
        made("unit_state", "The unit is", (DISRUPTED, ROUTING), "ROC-RAL-01", DISRUPTED),
        made("general", "A general with it", generals, "ROC-RAL-04", NOBODY),
        made("exposed", "Attacked or fired at since its last rally phase?", YES_NO, "AGE-RAL-08", False),
        made("army_bases", "Bases of the army at the beginning", (), "AGE-SET-05"),
        made("army_lost", "Bases it has lost", (), "AGE-CRI-01"),
        made("disrupted", "Is the unit disrupted?", YES_NO, "AGE-CRI-04", False),
    )
    return {field.name: field for field in form_fields}


def needs(profile: Profile) -> Mapping[str, Callable[[Form], bool]]:
    """Return, by field, a test for whether it makes a difference given those before it; fields not listed always do."""
    by_odds = dict.fromkeys(
        (
            "attacker_bases",
            "attacker_ground",
            "defender_bases",
            "defender_ground",
            "further_strength",
            "arms",
            "charging",
        )
    )
    return {
        **{name: lambda form: not _at_square(profile, form) for name in by_odds},
        "attacker_general": lambda form: not _at_square(profile, form),
        "defender_general": lambda form: not _at_square(profile, form),
        "direction": lambda form: form.get("defender_formation") not in ROUND,
        "first_contact": lambda form: bool(_troop(profile, form) and profile.troops[_troop(profile, form)].contact),
        "exposed": lambda form: "under_fire" in profile.tables and form.get("general", NOBODY) != NOBODY,
    }


def _troop(profile: Profile, form: Form) -> str:
    troop = split(str(form.get("attacker", "")))[0]
    return troop if troop in profile.troops else ""


def _at_square(profile: Profile, form: Form) -> bool:
    """Return whether cavalry attacks a square, for which dice are thrown without regard to odds (ROC-SQR-01)."""
    troop = _troop(profile, form)
    return form.get("defender_formation") == SQUARE and bool(troop) and profile.troops[troop].arm == CAVALRY
