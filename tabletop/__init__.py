"""A measured table for historical miniatures battles, without the miniatures.

>>> import tabletop
>>> table = tabletop.load("level-shadow")
>>> verdict = table.judge("los", "low-guns", "middle")
>>> verdict.holds
False

The names in ``__all__`` are the public interface (docs/python.md); they are loaded on first use.
"""

from __future__ import annotations

from tabletop.version import __version__ as __version__

TYPE_CHECKING = False  # as in `typing`, without loading it: this module is loaded with every other
if TYPE_CHECKING:
    from typing import Any

    from tabletop.errors import BadQuestion as BadQuestion
    from tabletop.errors import TabletopError as TabletopError
    from tabletop.errors import Unreadable as Unreadable
    from tabletop.interface import Picture as Picture
    from tabletop.interface import Reason as Reason
    from tabletop.interface import Table as Table
    from tabletop.interface import Verdict as Verdict
    from tabletop.interface import examples as examples
    from tabletop.interface import load as load

__all__ = [
    "BadQuestion",
    "Picture",
    "Reason",
    "Table",
    "TabletopError",
    "Unreadable",
    "Verdict",
    "examples",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tabletop' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module("tabletop.errors"), name, None) or getattr(import_module("tabletop.interface"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
