"""Legend entries for the badges, rings and paths that only a battle being played shows."""

from __future__ import annotations

from tabletop.render.battle import recap, tokens
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing.theme import colour
from tabletop.render.events import marks
from tabletop.render.table.legend import Badge, Entry, Line


def meanings(model: GameModel) -> tuple[Entry, ...]:
    """Return the entries for what is shown now."""
    on_table = {unit.id for unit in model.table.battle.units}
    proposal = model.chosen.proposal
    ground = Entry(Line(colour("page", "ink"), (3.0, 2.0)), "Ground worth holding")
    entries = {
        ground: bool(model.table.battle.setup.objectives),
        Entry(Badge(*tokens.READY), "May act now"): bool(on_table & model.facts.ready),
        Entry(Badge(*tokens.DONE), "Has acted"): bool(on_table & model.facts.acted),
        Entry(Line(tokens.TRACE, (4.0, 2.0)), "The way just gone"): bool(model.record.traces),
        Entry(Badge(marks.WAY, "1"), "The computer's last moves"): recap.shown(model),
        Entry(Line(tokens.AIM, (4.0, 2.0)), "At whom it is aimed"): proposal is not None
        and bool(proposal.action.target),
        Entry(Line(tokens.LOOK, (2.0, 2.0)), "Where that line of the log was"): model.chosen.looked_at is not None,
    }
    return tuple(entry for entry, shown in entries.items() if shown)
