"""What the figures of the program's structure say, and that they can say otherwise."""

from pathlib import Path

from tools import house
from tools.affected import affected


def test_no_module_is_there_for_tests_and_benchmarks_only() -> None:
    """Every module is one that a user's command, window or notebook can get to."""
    assert house.unreached() == []


def test_no_modules_import_each_other_and_few_functions_take_many_parameters() -> None:
    """Lazy imports and those for types count; ten functions may take more than seven parameters."""
    assert house.cycles() == []
    assert len(house.crowded()) <= 10


def test_a_rule_set_costs_what_its_rules_cost() -> None:
    """Lines of code: an Age on top of its family, and ships by themselves."""
    cost = {name: code for name, (_, code) in house.costs().items()}
    ages = ("destiny", "reason", "gloire", "glaube", "realm_of_chance", "sauve_qui_peut")
    assert all(0 < cost[name] <= 300 for name in ages)
    assert 0 < cost["sail"] <= 1500


def test_code_is_told_from_what_is_said_about_it(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""One.\n\nTwo.\n"""\n\n# three\nx = (\n    1,\n)\n\n\ndef f():\n    """Four."""\n    return x\n', "utf-8"
    )
    assert house.code_lines(module) == 5


def test_groups_that_import_each_other_are_found() -> None:
    """Two groups among six modules: one of three in a circle, and one of two; a module alone is no group."""
    edges = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": [], "e": ["f", "a"], "f": ["e"]}
    assert sorted(sorted(knot) for knot in house._knots(edges) if len(knot) > 1) == [["a", "b", "c"], ["e", "f"]]


def test_a_string_that_names_a_module_is_an_import() -> None:
    """Rule sets name the modules of their questions; the name of their own package stands before them."""
    assert "tabletop.rules.tse.questions.next_turn" in house.graph()["tabletop.rules.tse.rule_set"]
    assert "tabletop.render.replay.screen" in house.graph()["tabletop.render.rooms"]


def test_a_change_affects_the_tests_that_import_it_nearest_first() -> None:
    """The file itself, then those that import it directly, then the rest; a table counts for what reads it."""
    order = affected([house.ROOT / "tabletop/geometry/arc.py"])
    near, far = house.ROOT / "tests/geometry/test_arc.py", house.ROOT / "tests/test_cli.py"
    assert order.index(near) < order.index(far)
    assert house.ROOT / "tests/test_setting_up.py" not in order
    assert affected([house.ROOT / "tests/test_setting_up.py"]) == [house.ROOT / "tests/test_setting_up.py"]
    sight = house.ROOT / "tests/geometry/test_field_of_view.py"
    assert sight in affected([house.ROOT / "tabletop/geometry/terrain.toml"])
    assert near not in affected([house.ROOT / "README.md"])
