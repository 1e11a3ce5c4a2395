"""The main button of a battle: the next thing to do, always in the same place; Enter presses it."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.play.environment import noun
from tabletop.render.battle import choices, eligible, words
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.offers import offers


@dataclass(frozen=True)
class NextStep:
    """The main button: the word it presses ("" where the player must do something else first), label and hint."""

    word: str
    label: str
    hint: str = ""


def next_step(model: GameModel) -> NextStep:
    """Return the main button for the present state of the battle."""
    battle, facts = model.table.battle, model.facts
    if battle.over:
        return NextStep("", "The battle is over")
    if not facts.human_turn:
        return NextStep("", "The computer plays")
    if model.turned_over:
        return NextStep("ready:", f"{facts.whose} player is here", "Then the question is asked")
    if battle.pending:
        return NextStep("", "Answer the question")
    return _shown(model) or _picked(model) or _turn(model)


def _shown(model: GameModel) -> NextStep | None:
    """Return the button for a proposal, a unit in hand or a refusal; None without any of these."""
    if model.chosen.proposal is not None:
        return NextStep("confirm:", "Do it", "Do what is proposed")
    if model.table.drag is not None:
        return NextStep("release:", "Put down here", f"Let go of the {noun(model.table.battle)} where it is shown")
    if model.nearest is not None:
        return NextStep("nearest:", "As near as allowed", "Do as much of the refused move as is allowed")
    return None


def _picked(model: GameModel) -> NextStep | None:
    """Return the button for the chosen kind of action; without a word if the player must first act on the table."""
    chosen = model.chosen
    if chosen.picked is not None and not chosen.between and choices.settles(model):
        return NextStep("settle:", "Do it so", "Do the action as it is set")
    if chosen.between or (chosen.picked is not None and offers(model)):
        return NextStep("", "Choose one of the list")
    if chosen.picked is None:
        return None
    needs = eligible.kind_of(model.table.battle, chosen.picked).needs
    if {"path", "target"} & set(needs):
        return NextStep("", f"Drag the {noun(model.table.battle)}" if "path" in needs else "Click the enemy")
    return NextStep("back:", "Back", "Choose something else")


def _turn(model: GameModel) -> NextStep:
    """Return the button for the next unit, for the selected unit's group, or to end the group's turn or the phase."""
    facts, actor = model.facts, model.chosen.actor
    group = next((g for g in facts.groups if actor == g.id or any(u.id == actor for u in g.members)), None)
    if group is not None:
        return NextStep(f"group:{group.id}", f"Let {words.group(group)} act", "Its units act now, one after the other")
    if facts.ready - {actor}:
        one = noun(model.table.battle)
        return NextStep("next:", f"Next {one}", f"Go to the next {one} that may act")
    if facts.endings:
        label = words.label(model.table.battle, facts.endings[0].kind)
        return NextStep("end:0", label, "Nobody else is to act")
    return NextStep("", "Choose an action" if actor in facts.ready else "Nothing to do")
