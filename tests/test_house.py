"""What the figures of the program's structure say, and that they can say otherwise."""

from tools import house


def test_no_module_is_there_for_tests_and_benchmarks_only() -> None:
    """Every module is one that a user's command, window or notebook can get to."""
    assert house.unreached() == []


def test_groups_that_import_each_other_are_found() -> None:
    """Two groups among six modules: one of three in a circle, and one of two; a module alone is no group."""
    edges = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": [], "e": ["f", "a"], "f": ["e"]}
    assert sorted(sorted(knot) for knot in house._knots(edges) if len(knot) > 1) == [["a", "b", "c"], ["e", "f"]]


def test_a_string_that_names_a_module_is_an_import() -> None:
    """Rule sets name the modules of their questions; the name of their own package stands before them."""
    assert "tabletop.rules.tse.next_turn" in house.graph()["tabletop.rules.tse.rule_set"]
    assert "tabletop.render.replaying.screen" in house.graph()["tabletop.render.starting.doors"]
