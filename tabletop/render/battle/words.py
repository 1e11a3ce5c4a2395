"""Texts for a battle being played: labels, refusals, odds, questions, the log. Plain data in, html out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape as html_escape
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, how_many, plain, side_name, without_name
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import compass_point
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play import narration
from tabletop.play.coach import Finding
from tabletop.play.engine import asked as asked_now
from tabletop.play.engine import play_of
from tabletop.play.environment import counted_in, noun, turn_words
from tabletop.play.families import Shares, families
from tabletop.play.saves import report
from tabletop.render.battle import bends, recap, shape
from tabletop.render.battle.eligible import Group
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.model import Proposal
from tabletop.render.battle.offers import offers
from tabletop.render.events.log_lines import Line
from tabletop.render.table import captions
from tabletop.rules.common.basis import said, sentence
from tabletop.rules.play import Adjustment, Choice, Odds, Reply

#: Results less likely than this get no line; results named under a family; characters of the longest bar.
SLIGHT, MOST_NAMED, BAR = 0.0005, 4, 8
#: Lines of a page of the log.
LOG_LINES = 24
QUIET = "#6f665a"
#: One sentence on the source of the numbers behind the odds.
BASES: Mapping[str, str] = {
    "reconstruction": "These numbers are worked out for this program: the rulebook prints none.",
    "ruling": "These numbers follow one reading of the rulebook.",
    "source": "These numbers stand in the rulebook.",
}


def escape(text: str) -> str:
    return html_escape(text, quote=False)


def group(unit_group: Group | None) -> str:
    return "" if unit_group is None else capital(unit_group.name)


def still(unit_group: Group) -> str:
    """Return the members of a group that would act."""
    names = [u.called for u in unit_group.members if u.id != unit_group.id]
    return ", ".join(names) if names else "its general alone"


def label(battle: Battle, kind: str) -> str:
    return play_of(battle).kinds[kind].label_in(battle)


def how(battle: Battle, kind: str, unit: Unit) -> str:
    """Return how the player shows an action of this kind at the table; a unit off the table needs no showing."""
    needs = play_of(battle).kinds[kind].needs
    if not battle.has(unit.id):
        return "it comes on" if "path" in needs else "it waits off the table"
    ways = {"path": "drag it there", "target": "click the enemy", "facing": "drag and turn it"}
    return next((word for need, word in ways.items() if need in needs), "where it stands")


# --- actions ---------------------------------------------------------------------------------------------------------


def setting(model: GameModel, adjustment: Adjustment) -> str:
    """Return the value of an adjustment in a few words."""
    return _SET[adjustment.how](model, adjustment, shape.value(model, adjustment))


def _base(model: GameModel, adjustment: Adjustment, value: int) -> str:
    return f"{value + 1} of {len(adjustment.values)}"


def _chosen(model: GameModel, adjustment: Adjustment, value: object) -> str:
    return adjustment.names[adjustment.values.index(value)] if value in adjustment.values else str(value)


def _units(model: GameModel, adjustment: Adjustment, value: Sequence[str]) -> str:
    return ", ".join(model.table.battle.called(name) for name in value) or "nobody yet: click them"


_SET: Mapping[str, Callable[[GameModel, Adjustment, Any], str]] = {
    "choice": _chosen,
    "formation": _chosen,
    "base": _base,
    "facing": lambda model, adjustment, value: f"{compass_point(value)} {value:.0f}°",
    "bend": lambda model, adjustment, value: bends.words(value, shape.reference_base(model)),
    "units": _units,
}


# --- refusals --------------------------------------------------------------------------------------------------------


def why_closed(choice: Choice, unit: Unit) -> tuple[str, str]:
    """Return why a kind of action is closed: the first reason, without the unit's own name, and its rule."""
    against = choice.against
    return (without_name(against[0].text, unit), against[0].rule) if against else ("", "")


def text(model: GameModel) -> str:
    """Return the long text beside the table: odds, a refusal, the move in hand, closed actions with their reasons."""
    if model.table.stretch is not None:
        return captions.proof(model.table)
    if model.chosen.proposal is not None:
        return _proposed(model.chosen.proposal)
    if model.chosen.refused is not None:
        return _refusal(model, model.chosen.refused)
    if model.table.drag is not None:
        return captions.proof(model.table)
    if model.chosen.picked is not None or model.chosen.between:
        return _picking(model)
    if model.chosen.recap:
        return recap.text(model)
    looked = captions.proof(model.table)
    hovered, unit = model.table.hovered, model.table.unit
    if hovered is not None and unit is not None and model.table.battle.unit(hovered).side != unit.side:
        return looked
    if shut(model):
        return _closed(model)
    return recap.text(model) or _closed(model) or looked or _advice(model)


def _proposed(proposal: Proposal) -> str:
    """Return the coach's warning and the odds; without either, that the coach is still checking."""
    if proposal.odds is None and proposal.warning is None:
        return "Looking whether an enemy could take it in flank ..."
    return _warned(proposal.warning) + (odds(proposal.odds) if proposal.odds is not None else "")


def _warned(finding: Finding | None) -> str:
    """Return the coach's warning as a line of its own, with the rule; "" without one."""
    if finding is None:
        return ""
    return f"<b>Coach: {escape(finding.text)}</b> <font color='{QUIET}'>{escape(finding.rule)}</font><br>"


def _refusal(model: GameModel, verdict: Verdict) -> str:
    """Return why an action was refused, and what the player can do now."""
    known = model.table.answers.get(("nearest",)) if model.chosen.refused_move is not None else None
    asked = ("nearest",) in model.table.pending
    looking = "Looking for how near it may go ..." if asked else "Try elsewhere, or go back."
    if model.chosen.between:
        looking = "Choose what may be done instead, or go back."
    cure = f"{escape(capital(known))}. Try elsewhere, or go back." if isinstance(known, str) else looking
    return f"{captions.answer_html(verdict, model.table)}<br>{cure}"


def _picking(model: GameModel) -> str:
    if model.chosen.between:
        return "Several actions are open against it: choose one."
    if model.chosen.suggested is None:
        return "Looking for what may be done ..."
    needs = play_of(model.table.battle).kinds[model.chosen.picked or ""].needs
    lines = []
    if "path" in needs and model.table.unit is not None:
        lines.append(
            f"Drag the {noun(model.table.battle)} to where it shall go: "
            "<b>Space</b> sets a waypoint, <b>W</b> finds the way."
        )
    if offers(model):
        lines.append("Or choose one of these." if lines else "Choose one of these.")
        lines.append("Where chance has a hand in it, the odds come first.")
    elif "target" in needs:
        lines.append("Click the enemy. There is none that a suggestion was found for.")
    return "<br>".join(lines) or "Nothing of the kind is possible where it stands."


def _closed(model: GameModel) -> str:
    """Return the full reasons of the closed rows, for which the rows have too little room."""
    unit = model.acting_unit
    if unit is None:
        return ""
    if shut(model):
        return _shut(model, unit)
    kinds_by_reason: dict[str, list[str]] = {}
    for choice in model.menu:
        if not choice.open:
            why = "  ".join(why_closed(choice, unit))
            kinds_by_reason.setdefault(why, []).append(label(model.table.battle, choice.kind))
    rows = "<br>".join(f"<b>{escape(', '.join(kinds))}</b>: {escape(why)}" for why, kinds in kinds_by_reason.items())
    return f"Not now:<br>{rows}" if rows else ""


def shut(model: GameModel) -> bool:
    """Return whether the same reasons close every kind of action of the unit whose menu is open."""
    return bool(model.menu) and bool(_shutting(model.menu))


def _shutting(menu: Sequence[Choice]) -> tuple[Reason, ...]:
    """Return the reasons shared by all kinds of action, in their order."""
    return tuple(reason for reason in menu[0].against if all(reason in choice.against for choice in menu))


def _shut(model: GameModel, unit: Unit) -> str:
    """Return why a unit can do nothing now, and what it may do once its group acts."""
    lines = [f"{escape(capital(without_name(r.text, unit)))}  {r.rule}" for r in _shutting(model.menu)]
    if any(u.id == unit.id for each in model.facts.groups for u in each.members):
        kinds = ", ".join(label(model.table.battle, kind) for kind in model.facts.later(unit.id))
        lines.append(f"Then it may: <b>{escape(kinds)}</b>.")
    return "<br>".join(lines)


def _advice(model: GameModel) -> str:
    if model.table.battle.over:
        return "The battle is over."
    if not model.facts.human_turn:
        return f"The computer plays {escape(model.facts.whose)}; what it does is acted out and told."
    if model.table.battle.pending:
        return "First answer the question."
    if model.facts.groups:
        return "Choose who acts: in the list, or click one of its units and press <b>Enter</b>."
    one = noun(model.table.battle)
    return f"Click a {one} with a <b>green</b> badge, or one of the list. <b>Tab</b> goes to the next."


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(chances: Odds) -> str:
    """Return exact odds: families with their shares, what they rest on, every modifier with its rule, every result."""
    return "<br>".join([*_distribution(chances), *_rests(chances), *_modifiers(chances), *_details(chances)])


def _rests(chances: Odds) -> Iterator[str]:
    """Yield what the odds rest on, each with its rule; and a sentence on numbers that are not the rulebook's own."""
    for text, rule in chances.rests_on:
        yield f"{escape(capital(text))} <font color='{QUIET}'>{escape(rule)}</font>"
    if said(chances.basis):
        yield f"<font color='{QUIET}'>{escape(sentence(chances.basis))}</font>"


def _distribution(chances: Odds) -> Iterator[str]:
    for share, name, ends in families(chances):
        if share >= SLIGHT:
            detail = f": {ends[0][1]}" if len(ends) == 1 else ""
            yield f"<b>{_column(share)}</b> {_bar(share)} {escape(name + detail)}"


def _details(chances: Odds) -> Iterator[str]:
    """Yield the results within each family that has several."""
    several = [(name, ends) for share, name, ends in families(chances) if len(ends) > 1 and share >= SLIGHT]
    if several:
        yield "<b>In detail</b>"
    for name, ends in several:
        yield escape(name[:1].upper() + name[1:])
        yield from _ends(ends)


def _ends(ends: Shares) -> Iterator[str]:
    for share, end in ends[:MOST_NAMED]:
        if share >= SLIGHT:
            yield f"<font color='{QUIET}'>{_column(share)}</font> {escape(end)}"
    rest = sum(share for share, _ in ends[MOST_NAMED:])
    if rest >= SLIGHT:
        yield f"<font color='{QUIET}'>{_column(rest)}</font> something else"


def _column(share: float) -> str:
    """Return a share in percent, padded to a fixed width: two spaces are as wide as a digit."""
    figure = percent(share)
    return "&nbsp;" * 2 * max(0, len("73.1%") - len(figure.replace("&lt;", "<"))) + figure


def _bar(share: float) -> str:
    """Return a bar for a share, on a track as long as certainty; even the smallest share has one mark."""
    full = max(1, round(BAR * share))
    return f"<font color='#3f5a73'>{'█' * full}</font><font color='#e3dac4'>{'█' * (BAR - full)}</font>"


def percent(share: float) -> str:
    """Return a share of one in percent, as html; a possible result never reads as zero.

    >>> percent(0.5), percent(0.0001)
    ('50.0%', '&lt;0.1%')
    """
    return "&lt;0.1%" if 0.0 < share < SLIGHT else f"{share:.1%}"


def _modifiers(chances: Odds) -> Iterator[str]:
    """Yield every modifier; where they and the table are not all the rulebook's own, or alike, each says its own."""
    stage, bases = None, sorted({chances.basis, *(factor.basis for factor in chances.factors)} - {""})
    alike = len(bases) < 2 and not said(chances.basis)
    for factor in chances.factors:
        if factor.stage != stage:
            stage = factor.stage
            yield f"<b>Modifiers{f', {escape(stage)}' if stage else ''}</b>"
        basis = "" if alike or not factor.basis else f", {factor.basis}"
        note = f"<font color='{QUIET}'>{escape(factor.rule + basis)}</font>"
        yield f"<b>{_amount(factor.amount)}</b> {escape(factor.name)} {note}"
    if bases and alike and chances.factors:
        yield f"<font color='{QUIET}'>{escape(BASES.get(bases[0], f'The numbers: {bases[0]}.'))}</font>"


def _amount(amount: float) -> str:
    """Return the amount of a modifier, without decimals for a whole number.

    >>> _amount(-1.0), _amount(0.25)
    ('-1', '+0.25')
    """
    return f"{amount:+.2f}".removesuffix(".00")


# --- questions, the end, the log -------------------------------------------------------------------------------------


def question(model: GameModel) -> str:
    """Return the question put to a person, with what each answer means and promises."""
    decision = model.table.battle.pending[0]
    asked = asked_now(model.table.battle).replace(f"{decision.side} has ", "you have ", 1)
    lines = [f"<b>{escape(side_name(decision.side))} player: {escape(capital(asked))}</b>"]
    answers = replies(model.table.battle)
    for number, choice in enumerate(decision.choices, 1):
        details = [part for part in (answers[choice].meaning, model.promised.get(choice, "")) if part]
        if details:
            lines.append(f"{number}  <b>{escape(answers[choice].label)}</b>: {escape('; '.join(details))}")
    return "<br>".join(lines)


def replies(battle: Battle) -> Mapping[str, Reply]:
    """Return the label and meaning of every answer to the open question."""
    decision = battle.pending[0]
    known = play_of(battle).replies(battle, decision)
    return {choice: known.get(choice, Reply(word(choice))) for choice in decision.choices}


def handing_over(model: GameModel) -> str:
    """Return the request to hand the screen to the player who must answer."""
    side = escape(side_name(model.table.battle.pending[0].side))
    return f"<b>Over to the {side} player</b><br>What {side} does now is for {side} to decide: please change seats."


def word(choice: str) -> str:
    """Return an answer as its button shows it."""
    return capital(plain(choice))


def ending(model: GameModel) -> str:
    """Return how the battle ended, with the losses."""
    outcome = model.table.battle.outcome
    assert outcome is not None, "only an ended battle has an ending"
    summary = report.report(model.record.header, model.record.steps)
    lost = "<br>".join(escape(line) for line in report.losses(summary, summary.tallies[-1]))
    return (
        f"<b>{escape(narration.outcome(outcome.winner, outcome.how, model.table.battle.setup.sides))}</b><br><br>{lost}"
    )


def log(
    lines: Sequence[Line],
    tints: Mapping[str, str],
    page: int = 0,
    of: Unit | None = None,
    filtered: bool = False,
    fits: Callable[[Sequence[str]], int] | None = None,
) -> str:
    """Return a page of the log in chronological order, with a heading for each turn.

    Each line is a link to its moment, preceded by the colour of the acting side (``tints``, by side) and followed by
    its rules. ``page`` 0 is the newest. ``of`` is the selected unit; with ``filtered`` only lines about it are shown.
    ``fits`` returns how many of some plain lines have room; the newest are kept.
    """
    numbers = [number for number, line in enumerate(lines) if not filtered or of is None or line.about(of.id)]
    last = len(numbers) - page * LOG_LINES
    shown = numbers[max(0, last - LOG_LINES) : last]
    links = _log_links(page, last > LOG_LINES, of, filtered)
    rows = list(_log_rows(lines, shown, tints))
    if fits is not None:
        newest = [*([links] if links else []), *(read for read, _ in reversed(rows))]
        rows = rows[-max(1, fits(newest) - bool(links)) :]
    written = "<br>".join([*(html for _, html in rows), *([links] if links else [])])
    return written or "What happens is told here; click a line to see its moment."


def _log_rows(lines: Sequence[Line], numbers: Sequence[int], tints: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the rows of these lines with a heading before each turn, each as plain text and as html."""
    turn = -1
    for number in numbers:
        line = lines[number]
        if max(1, line.turn) != turn:
            turn = max(1, line.turn)
            yield f"Turn {turn}", f"<b>Turn {turn}</b>"
        yield _read(line), _logged(number, line, tints.get(line.side or "", ""))


def _log_links(page: int, more: bool, of: Unit | None, filtered: bool) -> str:
    """Return the log's own links as its last line, "" if there are none."""
    links = []
    links += ["<a href='logpage:1'>Earlier ...</a>"] if more else []
    links += ["<a href='logpage:-1'>Later ...</a>"] if page else []
    if of is not None:
        links.append(f"<a href='only:'>{'Show everybody' if filtered else f'Show only {escape(of.called)}'}</a>")
    return " · ".join(links)


def _logged(number: int, line: Line, tint: str) -> str:
    # the space before the rules is part of the link, since a space of its own may be wrapped to the next row
    rules = f" </a><font color='{QUIET}'>{' '.join(line.rules[:2])}</font>" if line.rules else "</a>"
    side = f"<font color='{tint}'>█</font> " if tint else ""
    return f"{side}<font color='{QUIET}'>{line.n}</font> <a href='log:{number}'>{escape(line.text)}{rules}"


def _read(line: Line) -> str:
    """Return a line of the log as plain text."""
    return f"█ {line.n} {line.text} {' '.join(line.rules[:2])}"


def situation(model: GameModel, paused: bool) -> tuple[str, str]:
    """Return the bar's two texts: the turn with the hour, and the side to move; ``paused``: the computer waits."""
    battle = model.table.battle
    turn = turn_words(battle, battle.setup.turns) + (", practice" * model.record.header.practice)
    return turn, _whose(model, paused)


def _whose(model: GameModel, paused: bool) -> str:
    battle = model.table.battle
    if model.facts.mover is None:
        return "The battle is over"
    if battle.pending:
        return f"{model.facts.whose} must answer"
    thinking = " (computer)" if model.facts.mover in model.facts.computers and not paused else ""
    if model.facts.groups and not thinking:
        return f"{model.facts.whose}: choose who acts"
    phase = "" if model.facts.groups else battle.clock.phase
    acting = battle.called(battle.clock.group) if battle.clock.group else phase
    mover = f"{model.facts.whose}{thinking or ' to act'}"
    return f"{mover}: {acting}" if acting else mover


def to_do(model: GameModel) -> str:
    """Return what a person still has to do before the other side acts; "" if it is not a person's turn."""
    battle, facts = model.table.battle, model.facts
    if not facts.human_turn or battle.over:
        return ""
    if battle.pending:
        return "A question to answer"
    if facts.groups:
        return f"{how_many(len(facts.groups), 'group')} still to act"
    return f"{how_many(len(facts.ready), noun(battle))} still to act" if facts.ready else "Everybody has acted"


def standing(battle: Battle, brief: bool = False) -> Mapping[str, str]:
    """Return each side's strength and objectives in a few words for the bar; ``brief``: only its bases."""
    return {side: _strength(battle, side, brief) for side in battle.setup.sides}


def _strength(battle: Battle, side: str, brief: bool) -> str:
    if brief:
        return f"{side_name(side)} {how_many(battle.bases(side)[0], counted_in(battle))}"
    points = f", {how_many(battle.scores[side], 'point')}" if battle.scores.get(side) else ""
    bases, coming = battle.bases(side)
    to_come = f" ({coming} to come)" if coming else ""
    return f"{side_name(side)} {how_many(bases, counted_in(battle))}{to_come}{points}{_holds(battle, side)}"


def _holds(battle: Battle, side: str) -> str:
    """Return the points of the objectives a side holds, out of all there are; "" without objectives."""
    ground = battle.setup.objectives
    held = sum(objective.points for objective in ground if objective.holder == side)
    worth = sum(objective.points for objective in ground)
    return f", holds {held:g} of {worth:g}" if ground else ""
