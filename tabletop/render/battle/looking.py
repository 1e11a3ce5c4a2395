"""What mouse and keys do to see more: the log and its moments, a unit's battle so far, the game app."""

from __future__ import annotations

from typing import Any

from tabletop.render.battle import camera_follow, game_app_page, unit_card, words
from tabletop.render.battle.board import Board
from tabletop.render.battle.hands import HandWindow
from tabletop.render.destinations import ToCalculatorOnTable
from tabletop.render.screens import Go
from tabletop.render.table.model import Note
from tabletop.render.widgets.panel_page import Key, Leaf

#: What the game app is first opened for.
FIRST_ASKED = "deployed-fire"


class LookingWindow(HandWindow):
    """A window on a battle being played whose past and odds can be looked into."""

    _log: tuple[Any, str] = (None, "")
    _log_version = -1
    _log_page = 0
    _log_only = False
    _app: tuple[game_app_page.Asked, Leaf] | None = None
    _app_version = -1
    _foe: str | None = None
    _rules: str
    panel: Board

    # --- the log -----------------------------------------------------------------------------------------------------

    def _logged(self) -> str:
        """Return the page of the log that is shown, the newest when something has happened."""
        desk = self.desk
        version = desk.state.record.version
        if version != self._log_version:
            self._log_version, self._log_page = version, 0
        told = desk.game.told
        brief = self._brief_log
        key = (version, len(told), desk.model.selected, self._log_page, self._log_only, brief)
        if self._log[0] != key:
            fits = self.panel.log_fits if brief else None
            self._log = (key, words.log(told, self._log_page, desk.model.unit, self._log_only, fits))
        return self._log[1]

    @property
    def _brief_log(self) -> bool:
        """Whether of the log's page only what is seen without scrolling is written: while the computer plays.

        The whole page takes the time of several frames; it is there when the hand goes to the log, or the turn comes.
        """
        computers, panel = self.desk.game.computers, self.panel
        at = panel.table_rect.left + self._cursor[0], panel.table_rect.top + self._cursor[1]
        reading = self._log_page > 0 or panel.log_rect.collidepoint(at)
        busy = computers.plays(self.desk.state.facts.mover) and not computers.paused
        return busy and not reading

    def _turn_log(self, pages: str) -> None:
        """Turn the pages of the log; the newest is the first."""
        last = max(0, (len(self.desk.state.record.lines) - 1) // words.LOG_LINES)
        self._log_page = min(last, max(0, self._log_page + int(pages)))

    def _filter_log(self, _: object = None) -> None:
        """Show in the log only what tells of the unit selected, or everything again."""
        self._log_only, self._log_page = not self._log_only, 0

    def _log_line(self, value: str) -> None:
        """Show where and when a line of the log was; the same again, no longer."""
        if not value.isdigit():
            return
        self.desk.game.look_at(int(value))
        line = self.desk.state.chosen.looked_at
        if line is not None and line.at is not None:
            self._gaze.go(self.camera, camera_follow.toward(self.camera, (line.at,)))

    def _show_history(self, name: str) -> None:
        """Open what a unit went through in this battle."""
        self.leaf = unit_card.history(self.desk.state, name) or self.leaf

    # --- the game app ------------------------------------------------------------------------------------------------

    def _tools(self) -> tuple[Key, ...]:
        """Return the tools, the game app among them where the rules of the battle have one."""
        return self.commands.buttons("tools", self)

    @property
    def _has_app(self) -> bool:
        return game_app_page.machine_of(self._rules) is not None

    def _ask_app(self, what: str = "") -> None:
        """Open the game app for the unit selected and its target; without a word again, put it away."""
        desk = self.desk
        if not self._has_app:
            return
        if not what and self._app is not None and self.leaf is not None and self.leaf == self._app[1]:
            self.leaf = None
        elif desk.model.unit is None:
            desk.update(Note("Select a unit: the game app is filled in for it."))
        else:
            asked = game_app_page.Asked(what or self._asked_now(), desk.model.unit.id, self._target())
            found = game_app_page.leaf(desk.model.battle, asked)
            self._app, self.leaf = (asked, found) if found is not None else None, found
            self._app_version = desk.state.record.version

    def _asked_now(self) -> str:
        """Return what the app is asked where nothing is said: what is proposed, else what it was asked last."""
        machine = game_app_page.machine_of(self._rules)
        proposal = self.desk.state.chosen.proposal
        if machine is not None and proposal is not None and proposal.action.kind in machine.actions:
            return proposal.action.kind
        return self._app[0].what if self._app is not None else FIRST_ASKED

    def _target(self) -> str | None:
        proposal = self.desk.state.chosen.proposal
        return proposal.action.target if proposal is not None and proposal.action.target else self._foe

    def _app_by_hand(self, _: str) -> None:
        """Go to the whole game app with the form as the table fills it in."""
        if self._app is not None:
            asked = self._app[0]
            self.going = Go(ToCalculatorOnTable(self.desk.model.battle, asked.what, asked.unit, asked.target))

    def _keep_app(self) -> None:
        """Fill the form that is open in anew when the battle has gone on; put it away when its unit is gone."""
        desk, version = self.desk, self.desk.state.record.version
        if self._app is None or self.leaf is None or self.leaf != self._app[1] or self._app_version == version:
            return
        asked, self._app_version = self._app[0], version
        there = desk.model.battle.has(asked.unit) and (asked.target is None or desk.model.battle.has(asked.target))
        found = game_app_page.leaf(desk.model.battle, asked) if there else None
        self._app, self.leaf = (asked, found) if found is not None else None, found

    def _keep_foe(self) -> None:
        """Keep in mind at which enemy the player pointed last while this unit was selected."""
        desk, mine = self.desk, self.desk.model.unit
        enemies = {unit.id for unit in desk.model.battle.enemies(mine)} if mine is not None else set()
        kept = desk.model.hovered if desk.model.hovered in enemies else self._foe
        self._foe = kept if kept in enemies else None
