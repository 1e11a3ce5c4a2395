"""One moment of a saved game in words: the action, its consequences, and the turn or the outcome after it."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.play import engine, narration
from tabletop.play.engine import Step
from tabletop.play.environment import counted_in
from tabletop.play.saves import replay
from tabletop.play.saves.save import Saved


def shown(saved: Saved, n: int) -> str:
    """Return a text about action ``n`` of a saved game (0: the beginning) and the position after it."""
    before = replay.beginning(saved) if n == 0 else replay.battle_at(saved, n - 1)
    after = replay.battle_at(saved, n)
    line = saved.lines[n]
    heading = (
        "As it began" if line.action is None else f"Action {n} of {len(saved.lines) - 1}: {named(before, line.action)}"
    )
    sentences = [f"  {sentence}" for sentence in narration.sentences(before, line.events)]
    sentences += [
        f"  {sentence}"
        for sentence in reasons(before, Step(line.action, None, line.events, after, thought=line.thought))
    ]
    cut = ["The last action in the file was cut off and is lost."] if saved.cut_off else []
    return "\n".join([saved.header.title, heading, *sentences, _now(after), *cut])


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
