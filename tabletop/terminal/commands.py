"""The commands of the prompt that are not actions: looking, asking, undoing, saving."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from tabletop.battle.action import Action, answer
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.judge import judge as judge_question
from tabletop.play import engine
from tabletop.play.engine import mover, play_of
from tabletop.play.environment import noun
from tabletop.play.files.nearest_words import clip, did_you_mean, one_of
from tabletop.play.given_dice import throws_of
from tabletop.play.hints import ideas, suggested
from tabletop.play.players import PLAYERS, player_kind
from tabletop.play.typed.names import find_unit, is_unit, roads_of, two_units
from tabletop.play.typed.options import QUESTION_OPTIONS, read_options
from tabletop.play.verdict_words import explained
from tabletop.rules import rule_set
from tabletop.rules.asked import MOVE
from tabletop.terminal import chances, record, usage, views
from tabletop.terminal.chart import chart
from tabletop.terminal.layout import WIDTH, paragraph
from tabletop.terminal.prompt import CONFIRM, Prompt

#: Suggestions examined for a side, shown for each of its units, and shown in all.
MOST_LOOKED_AT, MOST_EACH, MOST_SHOWN = 120, 3, 18
#: Actions shown by a bare "log"; maximum actions of the computer in one "auto".
MOST_LOGGED, MOST_AUTO = 20, 500

HELP = """\
Names may be shortened: the beginning of an id, or words of a name.

Actions. A word is enough that leaves no doubt: 'fire', 'attack', 'move'.
{actions}
How. Without a length a way is gone as far as the rules allow.
  forward 4 | back | left 2 | right | toward NAME | toward NAME 3
  to 30,20 | to NAME | path 30,20 36,24{roads}
  facing south | facing 180 | facing NAME
{options}
  Before a fight the odds are shown and a yes is wanted; ! at the end of the
  line does it at once, 'confirm off' always.
Answers   a word of what is asked; yes, no
Looking   who [all], map, UNIT (its menu), card UNIT, log [N | all], losses
Asking    hint [UNIT], then a number; odds [ACTION | NUMBER]; why can't I
          ACTION?; form (of the last fight)
          ask QUESTION UNIT [UNIT]: {questions}
{asking}
Going on  undo, redo (never past a die); save FILE; report; quit
          auto [PLAYER] [N]: let the computer do it
          confirm all | fights | off; dice 3,6,2 (with --dice only)\
"""


def _help(prompt: Prompt, rest: str) -> None:
    kinds = play_of(prompt.battle).kinds.values()
    actions = "\n".join(f"  {views.usage(kind, 'UNIT'):<36} {kind.label_in(prompt.battle)}" for kind in kinds)
    rules = rule_set.find(prompt.battle.rules)
    asking, options = "\n".join(usage.questions(rules)), "\n".join(usage.options(prompt.battle))
    roads = " | along ROAD | along ROAD to NAME" if roads_of(prompt.battle) else ""
    questions = ", ".join(rules.questions)
    text = HELP.format(actions=actions, roads=roads, options=options, questions=questions, asking=asking)
    for line in (line for line in text.splitlines() if line):
        prompt.write(paragraph(line, hang=" " * 10) if len(line) > WIDTH else line)


# --- looking ---------------------------------------------------------------------------------------------------------


def _who(prompt: Prompt, rest: str) -> None:
    if rest not in ("", "all"):
        raise BadQuestion(f"'who' or 'who all'; 'card {clip(rest)}' is about one")
    prompt.write(views.situation(prompt.battle, rest == "all"))


def _menu(prompt: Prompt, rest: str) -> None:
    prompt.write(views.menu(prompt.battle, _unit(prompt, rest, "menu UNIT")))


def _card(prompt: Prompt, rest: str) -> None:
    prompt.write(paragraph(views.card(prompt.battle, _unit(prompt, rest, "card UNIT"))))


def _unit(prompt: Prompt, rest: str, usage: str) -> Unit:
    return find_unit(prompt.battle, _needed(rest, usage), mover(prompt.battle))


def _map(prompt: Prompt, rest: str) -> None:
    prompt.write(chart(prompt.battle))


def _log(prompt: Prompt, rest: str) -> None:
    """Show the last actions: the usual number, a given one, or all."""
    steps, count = (
        prompt.session.known_steps,
        _number(rest, MOST_LOGGED) if rest != "all" else len(prompt.session.steps),
    )
    for line in record.log(steps, max(0, len(steps) - count)):
        prompt.write(line)


def _losses(prompt: Prompt, rest: str) -> None:
    prompt.write(record.losses(prompt.battle))


def _form(prompt: Prompt, rest: str) -> None:
    last = record.last_form(prompt.session.known_steps)
    prompt.write("No form has been filled in yet." if last is None else record.form(*last))


def _report(prompt: Prompt, rest: str) -> None:
    from tabletop.play.saves.report import report, text

    prompt.write(text(report(prompt.session.known_header, prompt.session.known_steps), WIDTH))


# --- asking ----------------------------------------------------------------------------------------------------------


def _hint(prompt: Prompt, rest: str) -> None:
    """Show suggestions with numbers, the most valuable first: a few for each unit, or all for one."""
    unit = find_unit(prompt.battle, rest, mover(prompt.battle)).id if rest else None
    each = MOST_SHOWN if unit else MOST_EACH
    suggested = ideas(prompt.battle, _suggested(prompt, unit), each, MOST_SHOWN)
    prompt.offered = [idea.action for idea in suggested]
    prompt.write(views.suggestions(prompt.battle, suggested))
    one = noun(prompt.battle)
    if unit is None and len(prompt.offered) == MOST_SHOWN:
        prompt.write(f"  There may be more: 'hint NAME' is about one {one}.")
    if unit is not None and not suggested:
        prompt.write(f"  '{unit}' tells what it may do now, and why not the rest.")
    if prompt.battle.pending:
        prompt.write(chances.answers(prompt.battle))


def _suggested(prompt: Prompt, unit: str | None) -> Iterator[Action]:
    battle = prompt.battle
    if battle.pending:
        yield from (answer(battle.pending[0].side, choice) for choice in battle.pending[0].choices)
        return
    if unit is None:
        yield from islice(play_of(battle).suggest(battle), MOST_LOOKED_AT)
    else:
        yield from suggested(battle, unit)


def _odds(prompt: Prompt, rest: str) -> None:
    if prompt.battle.pending and not rest:
        prompt.write(chances.answers(prompt.battle))
        return
    action = _asked_about(prompt, rest, "odds")
    verdict = engine.judge(prompt.battle, action)
    if not verdict.holds:
        prompt.write(views.reasons(prompt.battle, verdict))
        return
    prompt.write(paragraph(views.phrase(prompt.battle, action)))
    prompt.write(chances.full(play_of(prompt.battle).odds(prompt.battle, action)))


def _why(prompt: Prompt, rest: str) -> None:
    typed = _plea(prompt, rest)
    if not typed and prompt.refused is not None:
        prompt.write(views.reasons(prompt.battle, prompt.refused))
        return
    if typed and is_unit(prompt.battle, typed):
        prompt.write(views.menu(prompt.battle, find_unit(prompt.battle, typed, mover(prompt.battle))))
        return
    prompt.write(views.reasons(prompt.battle, engine.judge(prompt.battle, _asked_about(prompt, typed, "why"))))


def _plea(prompt: Prompt, rest: str) -> str:
    """Return the action in a question such as "can't I assault kempt?"; "" for a bare "can't I?".

    An "I" after the action's first word is a unit of that name.
    """
    idle = ("can't", "cant", "can’t", "cannot", "can", "not", "may", "")
    words = [word for word in (w.strip("?!.") for w in rest.split()) if word.lower() not in idle]
    return " ".join(words[1:] if words and words[0].lower() == "i" else words)


def _asked_about(prompt: Prompt, rest: str, command: str) -> Action:
    if rest:
        return prompt.numbered(rest) if rest.isascii() and rest.isdigit() else prompt.read(rest)
    if prompt.last is None:
        raise BadQuestion(f"of which action? type it after: '{command} ACTION', or '{command} NUMBER' of a hint")
    return prompt.last


def _ask(prompt: Prompt, rest: str) -> None:
    """Ask the judge a measuring question."""
    battle = prompt.battle
    word, *words = _needed(rest, "ask QUESTION UNIT [UNIT]").split()
    questions = rule_set.find(battle.rules).questions
    if word not in questions:
        raise BadQuestion(f"no question '{clip(word)}'; {did_you_mean(word, list(questions))}")
    start = next((k for k, w in enumerate(words) if w.lower() in QUESTION_OPTIONS), len(words))
    named, options = words[:start], _by_option(words[start:])
    units: list[Unit] = []
    if named:
        first, second = two_units(battle, named, mover(battle))
        units = [first, *([second] if second else [])]
    given = read_options(battle, units[0] if units else None, word == MOVE, options)[0]
    text = explained(judge_question(battle, word, [unit.id for unit in units], {"margin": False, **given}), battle)
    for line in text.splitlines():
        prompt.write(paragraph(line, hang="       "))


def _by_option(words: list[str]) -> dict[str, list[str]]:
    by_option: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word.lower() in QUESTION_OPTIONS:
            current = by_option.setdefault(word.lower(), [])
        else:
            current.append(word)
    return by_option


# --- undo and redo ---------------------------------------------------------------------------------------------------


def _undo(prompt: Prompt, rest: str) -> None:
    """Undo the player's own last action and what the computer did since, but never past a die."""
    session = prompt.session
    own = [k for k, step in enumerate(session.steps) if step.action and step.action.side not in prompt.players]
    last = own[-1] if own else len(session.steps) - 1
    if any(step.thrown for step in session.steps[last:]) and (why := session.why_not_undo()) is None:
        why = "chance had a hand in what followed it: a die once thrown stays thrown"
        raise BadQuestion(f"the last action cannot be taken back: {why}")
    for _ in range(max(1, len(session.steps) - last)):
        session.undo()
    prompt.shown, prompt.waiting, prompt.offered, prompt.last = len(session.steps), None, [], None
    prompt.write("Taken back.")
    prompt.write(views.next_step(prompt.battle))


def _redo(prompt: Prompt, rest: str) -> None:
    prompt.session.redo()
    prompt.write_steps()
    while mover(prompt.battle) in prompt.players:
        try:
            prompt.session.redo()
        except BadQuestion:
            break
        prompt.write_steps()
    prompt.let_computers_play()
    prompt.write(views.next_step(prompt.battle))


# --- saving, and computer play ---------------------------------------------------------------------------------------


def _save(prompt: Prompt, rest: str) -> None:
    """Save the game to a file from now on; without a name, print where it is saved."""
    if not rest and prompt.session.path is not None:
        prompt.write(f"The game is kept in {prompt.session.path} as it goes.")
        return
    path = Path(_needed(rest, "save FILE")).expanduser()
    if path.exists() and path != prompt.session.path:
        raise BadQuestion(f"{clip(path)} is there already; name another file")
    prompt.session.save_as(path)
    prompt.write(f"Saved in {path}, where it is kept from now on.")


def _dice(prompt: Prompt, rest: str) -> None:
    """Take the throws made at a real table for what is thrown next."""
    numbers = throws_of(_needed(rest, "dice 3,6,2"))
    prompt.session.throw(numbers)
    prompt.write(f"Next is thrown: {', '.join(f'{number:g}' for number in numbers)}.")


def _confirm(prompt: Prompt, rest: str) -> None:
    if rest and rest not in CONFIRM:
        raise BadQuestion(one_of("setting of confirm", rest, CONFIRM))
    prompt.confirm = rest or prompt.confirm
    prompt.write(paragraph(f"A yes is asked for before: {_CONFIRMED[prompt.confirm]}."))


_CONFIRMED = {
    "all": "every action left to chance",
    "fights": "every action against an enemy; the odds of others are shown",
    "off": "nothing, and no odds are shown",
}


def _auto(prompt: Prompt, rest: str) -> None:
    """Let a computer player do the next actions of the side to move."""
    words = rest.split()
    count = _number(words.pop(), 1) if words and words[-1].isdigit() else 1
    name = " ".join(words) or next(kind.name for kind in reversed(PLAYERS.values()) if kind.make is not None)
    make = player_kind(name).make
    if make is None:
        raise BadQuestion(f"that is yourself; 'auto {_auto_names()}'")
    side = mover(prompt.battle)
    if side is None:
        raise BadQuestion("the battle is over: 'report' tells it, 'quit' leaves")
    player = make(prompt.battle.seed + len(prompt.session.steps))
    for _ in range(min(count, MOST_AUTO)):
        if mover(prompt.battle) != side:
            break
        chosen = player.choose(prompt.session.battle)
        prompt.write(prompt.announced(chosen.action, chosen.why))
        prompt.act(chosen.action, chosen.thought)
    prompt.let_computers_play()
    prompt.write_next(chosen.action)


def _auto_names() -> str:
    return " or ".join(kind.name for kind in PLAYERS.values() if kind.make is not None)


def _number(text: str, usual: int) -> int:
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise BadQuestion(f"'{clip(text)}' is no whole number")
    return int(text)


def _needed(rest: str, usage: str) -> str:
    if not rest:
        raise BadQuestion(f"type: {usage}")
    return rest


COMMANDS: dict[str, Callable[[Prompt, str], None]] = {
    "help": _help, "?": _help, "who": _who, "status": _who, "menu": _menu, "what": _menu, "card": _card,
    "show": _card, "map": _map, "hint": _hint, "suggest": _hint, "odds": _odds, "why": _why, "ask": _ask,
    "log": _log, "losses": _losses, "form": _form, "undo": _undo, "redo": _redo, "save": _save,
    "report": _report, "auto": _auto, "confirm": _confirm, "dice": _dice,
}  # fmt: skip
