"""What stands round the table of a battle being played: status line, the bar's keys, questions, the sheet of keys."""

from __future__ import annotations

from tabletop.battle.naming import capital, side_name
from tabletop.render.battle import leaving, words
from tabletop.render.battle.board import Asked
from tabletop.render.battle.computers import PACES
from tabletop.render.battle.desk import GameDesk
from tabletop.render.table import captions
from tabletop.render.table.panel import Key

#: What the status line says besides the last refusal.
HINT = "<b>Tab</b> next unit, <b>Enter</b> does it, <b>Esc</b> goes back, <b>Ctrl-Z</b> takes back. <b>F1</b> all keys."
SHAPING = (
    "Drag it; its <b>dots</b> bend it, the <b>knob</b> turns it (<b>[ ]</b>, <b>Q E</b>). <b>Enter</b> puts it down."
)
#: The keys of a battle being played, for the sheet of keys and marks.
KEYS = (
    ("Click", "select a unit; an enemy: attack it with the one selected"),
    ("Tab", "the next unit that may act"),
    ("Drag", "show its move; let go to see the odds"),
    ("Q  E, wheel", "turn what is in hand; with Shift 1 degree"),
    ("Space,  W", "waypoint (right button too);  cheapest way, road"),
    ("[  ]", "bend a wing (Shift: the left); ranks, formation"),
    ("1 - 9", "the answer or suggestion; Alt: row of the list"),
    ("Right-click", "what a unit may do, or what may be done to it"),
    ("Space,  .", "go on at once;  the computer's next action"),
    ("Enter", "do what is shown; let a group act; put down"),
    ("Esc", "back; let go; select nothing"),
    ("Ctrl-Z, Ctrl-Y", "take back (never past a die); do again"),
    ("Ctrl-S", "save"),
    ("H  T  L", "move, tape, sight line"),
    ("1 2 3 4 5", "arc, zone, reach, ground seen, foes"),
    ("6 7 8 9,  0", "threat, command, falling back, heights;  all"),
    ("K,  I,  G", "legend;  a unit's battle so far;  the game app"),
    ("O,  Page keys", "the log: only the unit selected;  earlier, later"),
    ("Wheel, + -", "zoom at the cursor"),
    ("Arrows", "lead what is in hand or chosen to move; else pan"),
    ("Right-drag, Home", "pan; the whole table"),
    ("! and ✓", "may act now;  has acted"),
    ("F10", "the menu; Esc too, with nothing in hand"),
    ("F1", "this sheet"),
)


def status(desk: GameDesk) -> str:
    if desk.note:
        return f"<b>{words.escape(desk.note)}</b>"
    if desk.on_the_spot and desk.proposal is None:
        return SHAPING
    return captions.in_hand(desk) if desk.drag is not None and desk.proposal is None else HINT


def bar_keys(desk: GameDesk) -> tuple[Key, ...]:
    keys = [
        Key("undo:", "Undo", "Take the last action back, never past a die (Ctrl-Z)"),
        Key("redo:", "Redo", "Do it again (Ctrl-Y)"),
        Key("save:", "Save", "Keep the game in its file (Ctrl-S)"),
    ]
    keys.append(
        Key(
            "pace:",
            f"Pace: {PACES[desk.computers.pace][0].lower()}",
            "How fast what is done is shown; a click goes on at once",
        )
    )
    if desk.computers.sides and not desk.battle.over:
        keys.append(Key("pause:", "Pause", "Let the computer wait"))
        keys.append(Key("step:", "Step", "One action of the computer, then it waits again (full stop)"))
    keys.append(leaving.MENU)
    return tuple(keys)


def asked(desk: GameDesk) -> Asked | None:
    """Return what is asked over the table: a pending decision of a person, or how the battle ended."""
    if desk.stage.running:
        return None
    if desk.battle.over:
        return None if desk.banner_away else Asked(words.ending(desk), leaving.ENDED)
    if not desk.battle.pending or not desk.human_turn:
        return None
    decision = desk.battle.pending[0]
    if desk.turned_over:
        here = Key("ready:", f"{side_name(decision.side)} player is here  (Enter)", "Then the question is asked")
        return Asked(words.handing_over(desk), (here,))
    numbered = enumerate(words.replies(desk.battle).items(), 1)
    keys = tuple(Key(f"answer:{c}", f"{n}  {reply.label}", capital(reply.meaning)) for n, (c, reply) in numbered)
    return Asked(words.question(desk), keys)
