"""Where a number comes from: its basis, which is the word in the remark beside it in a table.

A number is printed in the rulebook (``source``), is one reading of an unclear text (``ruling``), or stands in for what
the rulebook lacks or what is lost (``reconstruction``). A remark with several of these words counts as the least sure.
A number whose own remark has none takes the basis of the heading of its table, then that of the same key in an earlier
table of its family, then that of the ``columns`` of a table of rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from tabletop.battle.naming import capital

SOURCE, RULING, RECONSTRUCTION = "source", "ruling", "reconstruction"
#: Every basis, the surest first.
BASES = (SOURCE, RULING, RECONSTRUCTION)
#: What is said of odds, and of answers of the calculator, that are not read from the rulebook's own numbers.
_SAID = {
    RULING: "these numbers are a ruling: one reading of the rulebook",
    RECONSTRUCTION: "these numbers are a reconstruction, not the rulebook's own",
}
_WORD = re.compile(rf"\b({'|'.join(BASES)})\b", re.IGNORECASE)
#: A line of a table: its key, its value, the remark after it.
_LINE = re.compile(r"^(?P<key>[\w.-]+)\s*=\s*(?P<value>[^#]+?)\s*(#\s*(?P<remark>.*))?$")


def least_sure(words: Iterable[str]) -> str:
    """Return the least sure of some bases; "" if none of them is known.

    >>> least_sure(("source", "reconstruction", "ruling")), least_sure(("", "source")), least_sure(())
    ('reconstruction', 'source', '')
    """
    return max((word for word in words if word in BASES), key=BASES.index, default="")


def said(basis: str) -> str:
    """Return what to say of odds or an answer of this basis; "" where it is the rulebook's, or not known.

    >>> said("source"), said("ruling")
    ('', 'these numbers are a ruling: one reading of the rulebook')
    """
    return _SAID.get(basis, "")


def sentence(basis: str) -> str:
    """Return ``said`` as a sentence; "" if there is nothing to say.

    >>> sentence("reconstruction"), sentence("")
    ("These numbers are a reconstruction, not the rulebook's own.", '')
    """
    return f"{capital(said(basis))}." if said(basis) else ""


def noted(basis: str) -> str:
    """Return a basis in brackets, to be put behind a number; "" where it is the rulebook's, or not known.

    >>> noted("reconstruction"), noted("source")
    (' (reconstruction)', '')
    """
    return f" ({basis})" if basis in _SAID else ""


@dataclass(frozen=True)
class Entry:
    """One number of a table: section, key, value as written, its remark, that of its section; and its bases in words.

    ``words`` are its own or, if its remark has none, those it takes from elsewhere.
    """

    section: str
    key: str
    value: str
    remark: str
    head: str
    words: tuple[str, ...]

    @property
    def path(self) -> str:
        """The section and the key, such as "combat.die.charging"."""
        return ".".join(part for part in (self.section, self.key) if part)

    @property
    def basis(self) -> str:
        """The least sure of its bases."""
        return least_sure(self.words)


@dataclass
class _Known:
    """The bases found so far in a file, by family and key, and of its columns."""

    by_key: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()

    def words(self, section: str, key: str, remark: str, head: str) -> tuple[str, ...]:
        """Return the bases of a number, and remember them."""
        family = section.split(".")[0], key
        found = _words(remark) or _words(head) or self.by_key.get(family, ()) or self.columns
        self.by_key[family] = found
        if not section and key == "columns":
            self.columns = found
        return found


def entries(text: str) -> Iterator[Entry]:
    """Yield every number of a table in TOML, in the order of its lines.

    >>> [entry.basis for entry in entries("[die]  # source AGE-CBT-08\\na = 1\\nb = 2  # ruling AGE-CBT-09")]
    ['source', 'ruling']
    """
    section, head, known = "", "", _Known()
    for line in text.splitlines():
        if line.startswith("["):
            section, _, head = (part.strip("[] ") for part in line.partition("#"))
            continue
        match = _LINE.match(line)
        if match is not None:
            key, remark = match["key"], match["remark"] or ""
            yield Entry(section, key, match["value"], remark, head, known.words(section, key, remark, head))


def _words(remark: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(remark))


@cache
def bases_of(package: str, name: str) -> Mapping[str, str]:
    """Return the basis of every number in a data file of a rule set's package, by its path; none without the file.

    Of tables that repeat a section it is the least sure.

    >>> bases_of("tabletop.rules.ages", "tables.toml")["combat.results"]
    'reconstruction'
    """
    file = resources.files(package).joinpath(name)
    found: dict[str, str] = {}
    for entry in entries(file.read_text("utf-8")) if file.is_file() else ():
        found[entry.path] = least_sure((found.get(entry.path, ""), entry.basis))
    return found
