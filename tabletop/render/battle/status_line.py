"""What stands round the table of a battle being played: status line, the bar's keys, questions, the sheet of keys."""

from __future__ import annotations

from tabletop.battle.naming import capital, side_name
from tabletop.render.battle import words
from tabletop.render.battle.board import Asked
from tabletop.render.battle.desk import GameDesk
from tabletop.render.table import captions, commands
from tabletop.render.table.commands import BATTLE, keys_in
from tabletop.render.table.panel import Key

#: What the status line says besides the last refusal.
HINT = keys_in(
    "<b>{next}</b> next unit, <b>{enter}</b> does it, <b>{escape}</b> goes back, <b>{undo}</b> takes back. "
    "<b>{help}</b> all keys.",
    BATTLE,
)
SHAPING = keys_in(
    "Drag it; its <b>dots</b> bend it, the <b>knob</b> turns it (<b>{bend-back} {bend-forward}</b>, "
    "<b>{turn-left} {turn-right}</b>). <b>{enter}</b> puts it down.",
    BATTLE,
)


def status(desk: GameDesk) -> str:
    if desk.note:
        return f"<b>{words.escape(desk.note)}</b>"
    if desk.on_the_spot and desk.proposal is None:
        return SHAPING
    return captions.in_hand(desk) if desk.drag is not None and desk.proposal is None else HINT


def asked(desk: GameDesk) -> Asked | None:
    """Return what is asked over the table: a pending decision of a person, or how the battle ended."""
    if desk.stage.running:
        return None
    if desk.battle.over:
        return None if desk.banner_away else Asked(words.ending(desk), commands.buttons("ended", BATTLE))
    if not desk.battle.pending or not desk.human_turn:
        return None
    decision = desk.battle.pending[0]
    if desk.turned_over:
        here = Key("ready:", f"{side_name(decision.side)} player is here  (Enter)", "Then the question is asked")
        return Asked(words.handing_over(desk), (here,))
    numbered = enumerate(words.replies(desk.battle).items(), 1)
    keys = tuple(Key(f"answer:{c}", f"{n}  {reply.label}", capital(reply.meaning)) for n, (c, reply) in numbered)
    return Asked(words.question(desk), keys)
