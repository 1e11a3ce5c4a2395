"""Run cases: carry out each one with its dice, and compare the outcome with what it expects."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import frozen
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import Fault, TabletopError
from tabletop.judge import ask
from tabletop.play import engine
from tabletop.play.cases import every_throw
from tabletop.play.cases.comparing import differences
from tabletop.play.cases.every_throw import Throws
from tabletop.play.cases.models import CaseRow, DoRow
from tabletop.play.cases.outcome import Outcome
from tabletop.play.cases.reading import Case, read_cases
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.yaml_text import Step
from tabletop.play.given_dice import GivenDice
from tabletop.play.requests import read_options

#: Steps that open the battle, and carry out whatever needs no decision; no rule set has actions of these names.
BEGIN, PROCEED = "begin", "proceed"


class MisnamedError(TabletopError):
    """A key of a case names something that there is not; ``steps`` lead to it."""

    def __init__(self, text: str, steps: Sequence[Step]) -> None:
        self.steps = list(steps)
        super().__init__(text)


@dataclass(frozen=True)
class Ran:
    """A case after running: how it differs from what was expected, or the fault that kept it from running."""

    case: Case
    differences: tuple[str, ...] = ()
    fault: Fault | None = None

    @property
    def passed(self) -> bool:
        """Whether everything came out as expected."""
        return not self.differences and self.fault is None


def run_cases(path: Path) -> Iterator[Ran]:
    """Run every case of a file and yield the results; Unreadable, with all faults, if a line cannot be read."""
    for case in read_cases(path):
        yield run_case(case)


def run_case(case: Case) -> Ran:
    """Run a case and return its result."""
    wanted = case.row.expect
    if case.battle is None:
        refusal = case.refusal if wanted.refused is not None and wanted.refused not in case.refusal else ""
        return Ran(case, (f"refused: expected '{wanted.refused}', got '{refusal.splitlines()[0]}'",) if refusal else ())
    if wanted.refused is not None:
        return Ran(case, (f"refused: expected '{wanted.refused}', got a scene that is sound",))
    try:
        return Ran(case, tuple(_differences(case, case.battle)))
    except MisnamedError as error:
        return Ran(case, fault=_fault_at(case, error.steps, f"{error.steps[0]}: {error}"))
    except TabletopError as error:
        return Ran(case, fault=_fault(case, str(error).splitlines()[0]))
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        if os.environ.get("TABLETOP_DEBUG"):
            raise
        text = "some value among its options, marks or memory is of the wrong kind, such as text for a number"
        return Ran(case, fault=_fault(case, f"{text}; compare them with a case that runs"))


def _differences(case: Case, battle: Battle) -> Iterator[str]:
    """Yield how what comes of a case differs from what it expects."""
    row = case.row
    over_all = row.expect.chance is not None or row.expect.mean is not None
    if row.question is not None:
        if over_all:
            raise TabletopError("expect: 'chance' and 'mean' are of something done, not of a question")
        yield from differences(row, _asked(case, battle))
    elif not over_all:
        dice = GivenDice(row.dice, engine.play_of(battle).lowest, rest=row.rest)
        outcome = _done(case, battle, dice)
        _all_used(row, dice)
        yield from differences(row, outcome)
    else:
        yield from every_throw.differences(row, lambda dice: _done(case, battle, dice))


def _fault(case: Case, text: str) -> Fault:
    key = next((k for k in ("dice", "rest", "expect", "question", "do") if text.startswith(f"{k}:")), None)
    steps: list[Step] = [key or ("question" if case.row.question is not None else "do")]
    return _fault_at(case, steps, text if key else f"{steps[0]}: {text}")


def _fault_at(case: Case, steps: Sequence[Step], text: str) -> Fault:
    """Return a fault of a case at one of its keys."""
    return Fault(case.doc.file, case.line, case.doc.key_at(steps)[1], text)


def _asked(case: Case, battle: Battle) -> Outcome:
    row = case.row
    verdict = ask(battle, str(row.question), row.args, read_options(row.options))
    return Outcome(battle, verdict=verdict)


def _done(case: Case, battle: Battle, dice: Throws) -> Outcome:
    """Carry out everything a case says; an action expected to be refused is only judged."""
    row = case.row
    outcome = Outcome(battle)
    for k, done in enumerate(row.do):
        last = k == len(row.do) - 1
        _check_names(outcome.battle, k, done)
        _step(
            outcome,
            done,
            dice,
            judged_only=last and row.expect.allowed is False,
            odds=row.expect.odds if last else None,
        )
    outcome.thrown = tuple(dice.purposes)
    return outcome


def _all_used(row: CaseRow, dice: GivenDice) -> None:
    """Raise TabletopError if some of the dice a case gives were not thrown."""
    if dice.used < len(row.dice):
        thrown = ", ".join(dice.purposes) or "none"
        raise TabletopError(f"dice: {len(row.dice)} given, and {dice.used} thrown: {thrown}; take the rest out")


def _check_names(battle: Battle, k: int, done: DoRow) -> None:
    """Raise MisnamedError if action ``k`` names an action, unit or side that there is not, or comes too early."""
    if done.action in (BEGIN, PROCEED):
        return
    kinds = engine.play_of(battle).kinds
    if done.action != ANSWER and done.action not in kinds:
        cure = did_you_mean(done.action, [*kinds, ANSWER, BEGIN, PROCEED])
        raise MisnamedError(f"no action '{clip(done.action)}'; {cure}", ["do", k, "action"])
    for key, name in (("unit", done.unit), ("target", done.target)):
        if name is not None and battle.someone(name) is None:
            known = [unit.id for unit in (*battle.units, *battle.awaited)]
            raise MisnamedError(f"no unit '{clip(name)}'; {did_you_mean(name, known)}", ["do", k, key])
        if name is None and done.action in kinds and key in kinds[done.action].needs:
            raise MisnamedError(f"'{done.action}' needs a {key}; add \"{key}\" with its id", ["do", k, "action"])
    if done.side is not None and done.side not in battle.setup.sides:
        raise MisnamedError(f"no side '{done.side}'; {did_you_mean(done.side, battle.setup.sides)}", ["do", k, "side"])
    if engine.mover(battle) is None and not battle.over:
        text = f"the battle has not begun; let '{BEGIN}' be the first action, or give the case a \"clock\""
        raise MisnamedError(text, ["do", k, "action"])


def _step(outcome: Outcome, done: DoRow, dice: Throws, judged_only: bool, odds: Mapping[str, float] | None) -> None:
    battle = outcome.battle
    if done.action == BEGIN:
        step = engine.begin(battle, battle.seed, dice)
        outcome.battle, outcome.events = step.battle, (*outcome.events, *step.events)
        return
    if done.action == PROCEED:
        unfolding = Unfolding(battle, dice)
        engine.proceed(unfolding)
        outcome.battle, outcome.events = unfolding.battle, (*outcome.events, *unfolding.events)
        return
    side = done.side or engine.mover(battle) or battle.setup.sides[0]
    action = Action(done.action, side, done.unit, done.target, frozen(done.options))
    outcome.verdict = engine.judge(battle, action)
    if judged_only:
        return
    if odds is not None:
        outcome.odds = engine.play_of(battle).odds(battle, action)
    step = engine.submit(battle, action, dice)
    outcome.battle, outcome.events = step.battle, (*outcome.events, *step.events)


def summary(ran: Sequence[Ran]) -> str:
    """Return a sentence saying how many cases passed.

    >>> summary([])
    '0 of 0 cases pass.'
    """
    good = sum(one.passed for one in ran)
    return f"{good} of {len(ran)} case{'s' if len(ran) != 1 else ''} pass{'es' if len(ran) == 1 else ''}."


def lines_of(one: Ran) -> Iterator[str]:
    """Yield a line for each difference from what was expected: file, line, case, key."""
    for difference in one.differences:
        yield f"{one.case.doc.file}:{one.case.line}: {one.case.row.case}: {difference}"
