"""Proofs of rules by mutants: which change of a rule's function was noticed by which of its tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.data_mutants import DataMutant, data_mutants_of
from tools.mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tools/coverage_proof.jsonl"


@dataclass(frozen=True)
class Proof:
    """A rule, the change that was made, and the test that noticed it."""

    rule: str
    file: str
    where: str
    was: str
    now: str
    test: str

    def mutants(self) -> list[Mutant | DataMutant]:
        """Return the mutants with this text change in this function; none if the code or data has changed."""
        key = self.file, self.where, self.was, self.now
        candidates = data_mutants_of(self.file) if self.file.endswith(".toml") else mutants_of(self.file)
        return [mutant for mutant in candidates if mutant.key == key]

    def stands(self, functions: Sequence[str], tests: Sequence[str]) -> bool:
        """Return whether function and test still name the rule, and the code that was changed still exists."""
        of_rule = self.file in functions or any(f"{self.file}:{part}" in functions for part in self.where.split("."))
        return of_rule and test_named(self.test) in tests and bool(self.mutants())


def recorded() -> dict[str, Proof]:
    """Return the recorded proofs, by rule."""
    lines = RECORD.read_text("utf-8").splitlines() if RECORD.exists() else ()
    return {proof.rule: proof for proof in (Proof(**json.loads(line)) for line in lines)}


@cache
def mutants_of(file: str) -> tuple[Mutant, ...]:
    """Return every mutant of a file; none if the file no longer exists."""
    return tuple(mutants(ROOT, file)) if (ROOT / file).exists() else ()


def test_named(test: str) -> str:
    """Return the name of a test in the coverage table."""
    file, _, name = test.partition("::")
    return f"{file}:{name.split('::')[-1].split('[')[0]}"
