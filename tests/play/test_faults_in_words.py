"""Slips in files, told in one line each, with place and cure: values of the wrong kind, shapes, armies, games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.cli import status
from tabletop.errors import BadQuestion, Fault
from tabletop.play.files.check import check_files
from tabletop.play.files.faults import MOST_SHOWN
from tabletop.play.files.load import read_file, shortened
from tabletop.play.requests import text_error, text_number, text_point
from tests.play.mutations import SCENE

WOOD = "outline: [[2, 2], [8, 2], [8, 6], [2, 6]]"
KEMPT = SCENE.splitlines()[-1].strip().removeprefix("- ")


def told(tmp_path: Path, old: str, new: str, text: str = SCENE) -> list[str]:
    """Return the faults of a scene after a change to it."""
    path = tmp_path / "scene.yaml"
    assert old in text
    path.write_text(text.replace(old, new))
    return [str(fault).replace(f"{tmp_path}/", "") for fault in check_files([path])]


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("title: A scene", "title: ''", "2:8", "title is empty; write e.g. 'title: "),
        ("title: A scene", f"title: {'x' * 201}", "2:8", "title has 201 characters; the most is 200"),
        ("facing: 180", "facing: 180, linear: 3", "8:114", "linear must be true or false, not 3"),
        ("at: [10, 10]", "at: 10", "8:83", "at: a point is two numbers, [x, y], not 10; write e.g. 'at: [30, 20]'"),
        ("at: [10, 10]", "at: [10]", "8:83", "at: one number where two belong"),
        ("at: [10, 10]", "at: [10, 10, 10]", "8:83", "at: 3 numbers where two belong"),
        ("facing: 180", "facing: 180, base: 3", "8:112", "base must be two numbers, [frontage, depth], not 3"),
        (f"{KEMPT}", "kempt", "8:5", "must be a row of keys, not the text 'kempt'; write e.g. '{id: ..., side: ..., "),
        (f"{{id: wood, kind: woods, {WOOD}}}", "7", "6:5", "must be a row of keys, not 7; write e.g. '{id: ..., kind"),
        ("table: {unit: in, width: 24, height: 24}", "table: 24", "4:8", "table must be a block of keys, not 24"),
    ],
)
def test_a_value_of_the_wrong_kind(tmp_path: Path, old: str, new: str, place: str, says: str) -> None:
    (found,) = told(tmp_path, old, new)
    assert found.startswith(f"scene.yaml:{place}: ") and says in found


def test_a_title_of_the_greatest_length_is_none_too_long(tmp_path: Path) -> None:
    assert not told(tmp_path, "title: A scene", f"title: {'x' * 200}")


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        (f"{WOOD}, facing: 90", "only a box (at, size) has a facing; remove it or turn the outline"),
        (f"{WOOD}, width: 2", "only a line has a width; remove it or widen the outline"),
        ("at: [5, 5], size: [2, 2], width: 2", "only a line has a width; remove it or widen the at"),
        ("line: [[1, 1], [5, 5]]", "is an area: give 'outline: [[x, y], ...]' or 'at: [x, y], size: [w, d]'"),
        ("line: [[1, 1], [1, 1]], width: 1", "the line has no length; give it two different points"),
        ("line: [[1, 1], [1.0001, 1]], width: 1", "the line has no length"),  # both ends snap to one place
        ("outline: [[1, 1], [2, 1], [1, 1]]", "the outline has 2 different points; an area needs at least 3"),
        ("outline: [[1, 1], [1.001, 1], [1.001, 1.001]]", "the outline encloses nothing"),
    ],
)
def test_a_shape_that_is_none(tmp_path: Path, shape: str, says: str) -> None:
    (found,) = told(tmp_path, WOOD, shape)
    assert found.startswith("scene.yaml:6:") and "piece 'wood'" in found and says in found


@pytest.mark.parametrize("shape", ["line: [[1, 1], [5, 5]], width: 2", "at: [5, 5], size: [2, 2], facing: 90"])
def test_a_strip_and_a_turned_box_are_areas(tmp_path: Path, shape: str) -> None:
    assert not told(tmp_path, WOOD, shape)


def test_of_very_many_faults_the_last_shown_is_their_count() -> None:
    """As many as are shown are shown whole; with one more the last line says how many were left out."""
    faults = [Fault("a.yaml", line, 1, f"fault {line}") for line in range(1, MOST_SHOWN + 2)]
    assert shortened(faults[:-1]) == faults[:-1]
    shown = shortened([*reversed(faults), faults[0]])  # in order, each once
    assert len(shown) == MOST_SHOWN and shown[:-1] == faults[: MOST_SHOWN - 1]
    assert shown[-1].text == "and 2 faults more; mend those above first"


# --- armies and scenarios --------------------------------------------------------------------------------------------

FILES = {
    "maps/ground": "format: tabletop-map/1\ntitle: Ground\ntable: {unit: in, width: 24, height: 24}\n",
    "armies/blue": """format: tabletop-army/1
title: Blue
side: blue
rules: tse
units:
  - {id: blucher, troop: general, rank: army}
""",
    "scenarios/ligny": """format: tabletop-scenario/1
title: Ligny
rules: tse
map: maps/ground.yaml
armies: [armies/blue.yaml]
place:
  - {id: blucher, at: [12, 4]}
""",
}


def scenario(tmp_path: Path, file: str = "", old: str = "", new: str = "") -> list[str]:
    """Return the faults of the scenario after a change to one of its files."""
    for name, text in FILES.items():
        path = tmp_path / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        assert name != file or old in text
        path.write_text(text.replace(old, new) if name == file else text)
    found = read_file(tmp_path / "scenarios/ligny.yaml", playable=True).faults
    return [str(fault).replace(f"{tmp_path}/", "") for fault in found]


def test_the_files_as_they_are_have_no_fault(tmp_path: Path) -> None:
    assert not scenario(tmp_path)


def test_a_unit_of_another_side_than_its_army(tmp_path: Path) -> None:
    (found,) = scenario(tmp_path, "armies/blue", "id: blucher,", "id: blucher, side: red,")
    assert found.startswith("armies/blue.yaml:6:")
    assert "'red', but the army is of side 'blue'; remove the key" in found
    assert not scenario(tmp_path, "armies/blue", "id: blucher,", "id: blucher, side: blue,")


def test_an_army_of_other_rules_than_the_scenario(tmp_path: Path) -> None:
    found = scenario(tmp_path, "armies/blue", "rules: tse", "rules: realm-of-chance")
    said = "rules: 'realm-of-chance', but the scenario is played by 'tse'; name the same rules in both"
    assert any(fault.startswith("armies/blue.yaml:4:8") and said in fault for fault in found)


def test_an_army_that_is_not_there_is_the_only_fault(tmp_path: Path) -> None:
    """Who stands where cannot be said of units nobody has read: that is not held against the scenario."""
    (found,) = scenario(tmp_path, "scenarios/ligny", "armies/blue.yaml", "armies/bleu.yaml")
    assert "did you mean 'armies/blue.yaml'?" in found


# --- the block ``game`` ----------------------------------------------------------------------------------------------

OBJECTIVES = """game:
  objectives:
    - {id: hill, at: [12, 12], radius: 2}
    - {id: farm, at: [0, 24], radius: 2}
"""
FOES = KEMPT.replace("kempt", "foy").replace("allied", "french").replace("[10, 10]", "[10, 4]")
GAME = f"{SCENE.rstrip()}\n  - {FOES}\n{OBJECTIVES}"


def test_objectives_have_ids_of_their_own_and_lie_on_the_table(tmp_path: Path) -> None:
    """Flush with the table's edge is on it."""
    assert not told(tmp_path, "id: farm", "id: mill", GAME)
    (found,) = told(tmp_path, "id: farm", "id: hill", GAME)
    assert "this id is taken by objective 1; give each its own id" in found
    (found,) = told(tmp_path, "[0, 24]", "[-0.01, 24]", GAME)
    assert "at: it lies off the table (24 x 24); move it" in found


PARENT = """\
format: tabletop-scene/1
title: Parents
rules: {rules}
table: {{unit: {unit}, width: 900, height: 900}}
units:
  - {{id: chief, side: blue, troop: general, at: [100, 50]}}
  - {{id: a, side: blue, troop: infantry{quality}, at: [{at}], facing: 0}}
  - {{id: b, side: blue, troop: infantry{quality}, at: [500, 300], facing: 0, parent: {parent}}}
"""


@pytest.mark.parametrize(
    ("rules", "unit", "quality"), [("tse", "in", ""), ("realm-of-chance", "mm", ", quality: french-line")]
)
def test_a_parent_is_a_general(tmp_path: Path, rules: str, unit: str, quality: str) -> None:
    """Both rule sets: one line that says who could be."""
    text = PARENT.format(rules=rules, unit=unit, quality=quality, parent="a", at="100, 300")
    path = tmp_path / "scene.yaml"
    path.write_text(text, encoding="utf-8")
    said = [fault.text for fault in read_file(path).faults if "general" in fault.text]
    assert said == ["unit 'b': 'a' is infantry, no general; name a general: chief"]
    path.write_text(text.replace("parent: a", "parent: chief"), encoding="utf-8")
    assert not [fault.text for fault in read_file(path).faults if "general" in fault.text]


CHAIN = """format: tabletop-scene/1
title: A chain of command
rules: {rules}
table: {{unit: {unit}, width: 900, height: 900}}
units:
  - {{id: g, side: blue, troop: general, at: [100, 50]{g}}}
  - {{id: h, side: blue, troop: general, at: [200, 50]{h}}}
  - {{id: foe, side: red, troop: general, at: [300, 50]{foe}}}
"""


@pytest.mark.parametrize(("rules", "unit"), [("tse", "in"), ("realm-of-chance", "mm")])
@pytest.mark.parametrize(
    ("parents", "says"),
    [
        ({"h": "g"}, []),
        ({"h": "foe"}, [(7, "unit 'h': 'foe' is of side 'red', this unit of 'blue'; name a general: g")]),
        (
            {"foe": "g"},
            [
                (
                    8,
                    "unit 'foe': 'g' is of side 'blue', this unit of 'red'; "
                    "add its general to the file, or remove the key",
                )
            ],
        ),
        (
            {"g": "h", "h": "g"},
            [
                (
                    6,
                    "unit 'g': 'h' makes a circle: 'g' belongs to 'h' belongs to 'g'; remove the key from one of them",
                )
            ],
        ),
    ],
)
def test_a_parent_is_of_the_same_side_and_in_no_circle(
    tmp_path: Path, rules: str, unit: str, parents: dict[str, str], says: list[tuple[int, str]]
) -> None:
    keys = {name: f", parent: {parents[name]}" if name in parents else "" for name in ("g", "h", "foe")}
    path = tmp_path / "scene.yaml"
    path.write_text(CHAIN.format(rules=rules, unit=unit, **keys), encoding="utf-8")
    found = [(fault.line, fault.text.replace("parent: ", "")) for fault in read_file(path).faults]
    assert found == says


def test_a_name_is_one_line(tmp_path: Path) -> None:
    text = PARENT.format(rules="tse", unit="in", quality="", parent="chief", at="100, 300")
    path = tmp_path / "scene.yaml"
    path.write_text(text.replace("{id: chief,", '{id: chief, name: "A\\nB",'), encoding="utf-8")
    said = [fault.text for fault in read_file(path).faults if "one line" in fault.text]
    assert len(said) == 1
    assert said[0].startswith("unit 'chief': ")


def test_a_decimal_comma_has_its_own_advice(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    text = PARENT.format(rules="tse", unit="in", quality="", parent="a", at="1,5, 300")
    path.write_text(text.replace("facing: 0}", 'facing: "1,5"}'), encoding="utf-8")
    said = "\n".join(fault.text for fault in read_file(path).faults)
    assert "facing: decimals are written with a point: write 1.5, not 1,5" in said
    assert "3 numbers where two belong" in said and "1.5, not 1,5" in said
    assert "no general" in said, "all faults in one run"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("facing: 180", "facing: 12,5", ["8:104: facing: decimals are written with a point: write 12.5, not 12,5"]),
        ("facing: 180", "facing: -0,25", ["8:104: facing: decimals are written with a point: write -0.25, not -0,25"]),
        (
            "width: 24, height: 24",
            "width: 24,5, height: 24,5",
            [
                "4:29: width: decimals are written with a point: write 24.5, not 24,5",
                "4:43: height: decimals are written with a point: write 24.5, not 24,5",
            ],
        ),
        (
            "at: [10, 10]",
            "at: 10, 10",
            ["8:87: at: two numbers stand in brackets, and decimals are written with a point: write e.g. [1.5, 2]"],
        ),
    ],
)
def test_a_decimal_comma_between_braces_has_the_same_advice(
    tmp_path: Path, old: str, new: str, says: list[str]
) -> None:
    """YAML takes the digits after the comma for a key without a value, the same digits twice for a key again."""
    assert told(tmp_path, old, new) == [f"scene.yaml:{line}" for line in says]


@pytest.mark.parametrize("new", ["facing: 180, 5", "facing: 180,5: 3", "facing: 180,quick", "facing: 12.5,5"])
def test_a_key_that_is_no_rest_of_a_number_is_an_unknown_key(tmp_path: Path, new: str) -> None:
    (said,) = told(tmp_path, "facing: 180", new)
    assert "no key '" in said and "decimals" not in said


TAKEN = """\
format: tabletop-scene/1
title: Two of one name
rules: tse
table: {unit: in, width: 48, height: 36}
units:
  - {id: a, side: blue, troop: infantry, bases: 40, formation: deployed, at: [10, 10], facing: 0}
  - {id: a, side: blue, troop: infantri, bases: 4, formation: deployed, at: [20, 20], facing: 0}
"""


def test_a_key_that_is_refused_is_not_missing_as_well(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(TAKEN, encoding="utf-8")
    found = [fault.text for fault in read_file(path).faults if "bases" in fault.text]
    assert found == ["unit 'a': bases: 40 is not between 2 and 10"]


def test_a_unit_whose_id_is_taken_is_checked_all_the_same(tmp_path: Path) -> None:
    """All faults in one run: also those of the second of two units of one id; it stands in nobody's way."""
    path = tmp_path / "scene.yaml"
    path.write_text(TAKEN, encoding="utf-8")
    said = [(fault.line, fault.text) for fault in read_file(path).faults]
    assert (7, "unit 'a': 'a' is taken on line 6; give each unit its own id") in said
    assert any(line == 7 and "'infantri'" in text and "infantry" in text for line, text in said)
    path.write_text(TAKEN.replace("infantri", "infantry").replace("40", "4").replace("[20, 20]", "[10, 10]"))
    assert [fault.line for fault in read_file(path).faults] == [7]


def test_a_decimal_comma_of_an_option_has_its_own_advice() -> None:
    with pytest.raises(BadQuestion, match=r"option .distance.: decimals are .* with a point: write 3\.5, not 3,5"):
        text_number("distance", "3,5")
    with pytest.raises(BadQuestion, match=r"decimals are written with a point: 1\.5,2, not 1,5,2"):
        text_point("to", "1,5,2,5")


@pytest.mark.parametrize("words", [[], ["--batch", "-"]])
def test_a_decimal_comma_of_an_error_is_not_taken_for_an_angle(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """0,125 reads as no length and 125 degrees: one line says what to write for either."""
    asked = words or ["starter", "los", "lambert", "brandis"]
    assert status(["judge", *asked, "--error", "0,125"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "decimals are written with a point: write 0.125,2" in line and line.endswith("write 0.0,125")
    assert text_error("0.0,2") == [0.0, 2.0] and text_error("0.125,2") == [0.125, 2.0]
