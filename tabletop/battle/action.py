"""An action: what a player wants to do. A judge says whether it is allowed; its consequences are events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: The kind of the action that answers the pending decision, the same for all rule sets; the choice is its option
#: "choice".
ANSWER = "answer"


@dataclass(frozen=True)
class Action:
    """Something a side wants to do: ``kind`` is one of the rule set's, ``options`` are plain data by name."""

    kind: str
    side: str
    unit: str | None = None
    target: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def args(self) -> tuple[str, ...]:
        """The ids it names, in the order its verdict uses: who acts, then against whom."""
        return tuple(name for name in (self.unit, self.target) if name is not None)


def answer(side: str, choice: str) -> Action:
    """Return the action that answers the pending decision of ``side``."""
    return Action(ANSWER, side, options={"choice": choice})
