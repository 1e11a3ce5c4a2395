"""Who has had his action of the phase, for whoever looks at the table."""

from dataclasses import replace

import pytest

from tabletop.play.engine import play_of
from tests.loaded import scenario


@pytest.mark.parametrize(("phase", "mark"), [("artillery", "fired"), ("movement", "moved"), ("combat", "fought")])
def test_a_unit_has_had_the_action_of_this_phase_only(phase: str, mark: str) -> None:
    """ROC-SEQ-01."""
    battle = scenario("realm-of-chance/drill-ground")
    unit = next(unit for unit in battle.units if not unit.is_general)
    acted = play_of(battle).acted
    for now in ("artillery", "movement", "combat"):
        at = replace(battle, clock=replace(battle.clock, phase=now))
        assert not acted(at, unit)
        assert acted(at, replace(unit, marks={mark: True})) == (now == phase)
