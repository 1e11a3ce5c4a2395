"""Every state of a draft since it was opened, for unlimited undo and redo."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.play.files.draft import Draft


@dataclass
class History:
    """The present draft, the earlier ones, and the undone ones.

    Consecutive changes with the same ``tag`` (a number being typed) are one step.
    """

    draft: Draft
    past: list[Draft] = field(default_factory=list)
    future: list[Draft] = field(default_factory=list)
    _tag: str = ""

    def to(self, draft: Draft, tag: str = "") -> None:
        """Replace the draft."""
        if draft == self.draft:
            return
        if not tag or tag != self._tag:
            self.past.append(self.draft)
        self.draft, self._tag = draft, tag
        self.future.clear()

    def back(self) -> bool:
        """Undo the last step; return whether there was one."""
        return self._step(self.past, self.future)

    def again(self) -> bool:
        """Redo what was undone; return whether there was anything."""
        return self._step(self.future, self.past)

    def _step(self, source: list[Draft], target: list[Draft]) -> bool:
        if not source:
            return False
        target.append(self.draft)
        self.draft, self._tag = source.pop(), ""
        return True
