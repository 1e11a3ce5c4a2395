"""Every state of a draft since it was opened: taken back and done again without limit."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabletop.play.files.draft import Draft


@dataclass
class History:
    """The draft as it is, those before it and those taken back.

    Changes in a row with one ``tag`` (a number being typed) are one step.
    """

    draft: Draft
    past: list[Draft] = field(default_factory=list)
    future: list[Draft] = field(default_factory=list)
    _tag: str = ""

    def to(self, draft: Draft, tag: str = "") -> None:
        """Go on to another draft."""
        if draft == self.draft:
            return
        if not tag or tag != self._tag:
            self.past.append(self.draft)
        self.draft, self._tag = draft, tag
        self.future.clear()

    def back(self) -> bool:
        """Take the last step back; return whether there was one."""
        return self._step(self.past, self.future)

    def again(self) -> bool:
        """Do again what was taken back; return whether there was anything."""
        return self._step(self.future, self.past)

    def _step(self, source: list[Draft], target: list[Draft]) -> bool:
        if not source:
            return False
        target.append(self.draft)
        self.draft, self._tag = source.pop(), ""
        return True
