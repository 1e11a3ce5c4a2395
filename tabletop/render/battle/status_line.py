"""Texts around the table of a battle being played: status line, questions and their keys."""

from __future__ import annotations

from tabletop.battle.naming import capital, side_name
from tabletop.play.environment import noun
from tabletop.render.battle import shape, words
from tabletop.render.battle.board import Asked
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.playback import Stage
from tabletop.render.table import captions
from tabletop.render.table.commands import BATTLE, TABLES
from tabletop.render.table.panel import Key

#: The status line's text below the last refusal, before and after what the units are called.
NEXT = TABLES[BATTLE].keys_in("<b>{next}</b> next")
KEYS = TABLES[BATTLE].keys_in(
    "<b>{enter}</b> does it, <b>{escape}</b> goes back, <b>{undo}</b> takes back. <b>{help}</b> all keys."
)
SHAPING = TABLES[BATTLE].keys_in(
    "Drag it; its <b>dots</b> bend it, the <b>knob</b> turns it (<b>{bend-back} {bend-forward}</b>, "
    "<b>{turn-left} {turn-right}</b>). <b>{enter}</b> puts it down.",
)


def status(model: GameModel) -> str:
    if model.table.note:
        return f"<b>{words.escape(model.table.note)}</b>"
    if shape.on_the_spot(model) and model.chosen.proposal is None:
        return SHAPING
    if model.table.drag is not None and model.chosen.proposal is None:
        return captions.in_hand(model.table)
    return f"{NEXT} {noun(model.table.battle)}, {KEYS}"


def asked(model: GameModel, stage: Stage) -> Asked | None:
    """Return the question laid over the table: a person's pending decision, or the banner of an ended battle."""
    if stage.running:
        return None
    if model.table.battle.over:
        return None if model.chosen.banner_away else Asked(words.ending(model), TABLES[BATTLE].buttons("ended"))
    if not model.table.battle.pending or not model.facts.human_turn:
        return None
    decision = model.table.battle.pending[0]
    if model.turned_over:
        ready_key = Key("ready:", f"{side_name(decision.side)} player is here  (Enter)", "Then the question is asked")
        return Asked(words.handing_over(model), (ready_key,))
    numbered = enumerate(words.replies(model.table.battle).items(), 1)
    keys = tuple(Key(f"answer:{c}", f"{n}  {reply.label}", capital(reply.meaning)) for n, (c, reply) in numbered)
    return Asked(words.question(model), keys)
