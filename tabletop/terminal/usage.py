"""What may be typed in a battle, from its rule set's own options and questions: the parts of the prompt's help."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError
from tabletop.play.engine import mover, play_of
from tabletop.play.typed.options import EXAMPLES, OPTIONS
from tabletop.rules.play import Adjustment
from tabletop.rules.rule_set import RuleSet
from tabletop.terminal.layout import WIDTH

#: Options whose typed words are not their name and an example.
TYPED = {
    "formation": "in FORMATION",
    "pivots": "path 30,20@left 36,24 (wheels there on its left corner, or @right)",
    "ranks": "front 2 | ranks 2,1,1",
    "bend": "bend 10,0,-10 (left to right)",
}
#: Letters for the units of a question, in the order in which they are named.
LETTERS = "ABC"


def options(battle: Battle) -> list[str]:
    """Return lines with the options that the actions of the side to move have, as they are typed."""
    found = _adjustable(battle)
    return _lines((_typed(found[name]) for name in sorted(found)), "  ")


def questions(rules: RuleSet) -> list[str]:
    """Return lines with the questions that take more than the names of their units, as they are typed."""
    return _lines((text for name in rules.questions for text in _question(rules, name)), "          ")


def _typed(option: Adjustment) -> str:
    """Return an option as typed, with its values or an example."""
    words = [value for value in option.values if isinstance(value, str)]
    usual = "/".join(words) if option.how == "choice" and words else "UNIT" if option.how == "units" else ""
    return TYPED.get(option.option) or f"{option.option} {usual or EXAMPLES.get(option.option, '2')}"


def _adjustable(battle: Battle) -> dict[str, Adjustment]:
    """Return, by name, the options that some action of the side to move has and that can be typed."""
    play, side, found = play_of(battle), mover(battle), dict[str, Adjustment]()
    if side is None:
        return {}
    for kind in (kind for kind in play.kinds.values() if "unit" in kind.needs):
        for unit in battle.side(side):
            try:
                found |= {one.option: one for one in play.adjustments(battle, Action(kind.name, side, unit.id))}
            except TabletopError:
                continue
    return {name: one for name, one in found.items() if name in TYPED or name in OPTIONS}


def _question(rules: RuleSet, name: str) -> Iterable[str]:
    """Yield a question with the enemy or the points it names in options, or with options that are on or off.

    The usual wordings have such options for all rules; they count if a wording of these rules has them too.
    """
    wording, units = rules.wording(name), " ".join(LETTERS[: rules.question(name).units])
    roles = [role for role, _ in wording.steps if role in ("from", "after")]
    named = "".join(f" {role} {LETTERS[rules.question(name).units]}" for role in roles)
    own = {tick.option for one in rules.questions.values() if one.wording for tick in one.wording.ticks}
    ticks = "".join(f" [{tick.option}]" for tick in wording.ticks if tick.option in own)
    where = "".join(f" {role} X,Y" for role, _ in wording.steps if role in ("to", "start", "end"))
    far = f" distance {EXAMPLES['distance']}" if "distance" in wording.extras else ""
    if named or ticks or not units:
        yield f"ask {name}{units and ' '}{units}{named}{where}{far}{ticks}"


def _lines(texts: Iterable[str], indent: str) -> list[str]:
    """Return texts with bars between them, in lines that break at bars only."""
    kept = " | ".join(text.replace(" ", "\0") for text in texts)
    lines = textwrap.wrap(kept, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
