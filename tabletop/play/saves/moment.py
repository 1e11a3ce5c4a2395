"""One moment of a saved game in words: the action, its consequences, and the turn or the outcome after it."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.play import engine, narration
from tabletop.play.engine import Step
from tabletop.play.environment import counted_in
from tabletop.play.saves.known_game import KnownGame

#: In place of an action of which nothing may be known.
UNKNOWN = "something that is not known"


def shown(game: KnownGame, n: int) -> str:
    """Return a text about action ``n`` of a saved game (0: the beginning) and the position after it."""
    before, step = game.battle_before(n), game.step(n)
    did = UNKNOWN if step.action is None else named(before, step.action)
    heading = f"Action {n} of {len(game.saved.lines) - 1}: {did}" if n else "As it began"
    sentences = [f"  {sentence}" for sentence in (*narration.sentences(before, step.events), *reasons(before, step))]
    cut = ["The last action in the file was cut off and is lost."] if game.saved.cut_off else []
    return "\n".join([game.header.title, heading, *sentences, _now(step.battle), *cut])


def named(battle: Battle, action: Action) -> str:
    """Return an action in a few words: the unit, the action, its target."""
    kind = engine.play_of(battle).kinds.get(action.kind)
    label = kind.label_in(battle) if kind is not None else action.kind
    who = f", {battle.called(action.unit)}" if action.unit is not None else ""
    at = f" against {battle.called(action.target)}" if action.target is not None else ""
    choice = f" ({action.options['choice']})" if "choice" in action.options else ""
    return f"{side_name(action.side)}: {label[:1].lower()}{label[1:]}{choice}{who}{at}"


def reasons(before: Battle, step: Step) -> list[str]:
    """Return a sentence on why a computer player took its action, and one on the runner-up; none for a person.

    Values are in bases, or those of ships just numbers to compare, by the player's own evaluation.
    """
    thought = step.thought
    if thought is None:
        return []
    bases = " bases" if counted_in(before) == "base" else ""
    own = "" if thought.value is None else f"{thought.value:+.2f}{bases} by its own count"
    sentences = [f"Its reason: {'; '.join(part for part in (thought.why or 'none in words', own) if part)}."]
    if thought.other is not None:
        second = thought.other
        action = named(before, second.action).partition(": ")[2]
        sentences.append(
            f"Its runner-up: {action}; {'; '.join([*([second.why] if second.why else []), f'{second.value:+.2f}'])}."
        )
        if thought.value is not None and second.value > thought.value:
            sentences.append("It draws: what promises more is likelier, never certain.")
    return sentences


def _now(battle: Battle) -> str:
    """Return the state of the battle in words: the turn and the side to move, or how it ended."""
    if battle.outcome is not None:
        return narration.outcome(battle.outcome.winner, battle.outcome.how, battle.setup.sides)
    side = engine.mover(battle)
    task = " to answer" if battle.pending else " to move"
    return f"Turn {battle.clock.turn}" + (f", {side}{task}." if side is not None else ".")
