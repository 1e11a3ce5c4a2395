"""The game app page over a battle's panel: filled in from the table and kept up to date."""

from __future__ import annotations

from typing import Protocol

from tabletop.render.battle import game_app_page
from tabletop.render.battle.controller import BattleController
from tabletop.render.destinations import ToCalculatorOnTable
from tabletop.render.screens import Go, Going
from tabletop.render.table.model import Note
from tabletop.render.widgets.panel_page import PanelPage


class Paged(Protocol):
    """What the game app needs of the window it is opened in."""

    panel_page: PanelPage | None
    going: Going | None

    @property
    def controller(self) -> BattleController:
        """The controller on which the battle is played."""


class LiveGameAppPage:
    """The game app on the panel: the question it answers now, and the enemy the player last pointed at."""

    def __init__(self, window: Paged, rules: str) -> None:
        self.window, self._rules = window, rules
        self.foe: str | None = None
        self.filled: tuple[game_app_page.Asked, PanelPage] | None = None
        self._version = -1

    @property
    def there(self) -> bool:
        """Whether the rules of the battle have a game app."""
        return game_app_page.machine_of(self._rules) is not None

    def ask(self, what: str = "") -> None:
        """Open the game app for the selected unit and its target; called again without an action, close it."""
        controller = self.window.controller
        if not self.there:
            return
        if (
            not what
            and self.filled is not None
            and self.window.panel_page is not None
            and self.window.panel_page == self.filled[1]
        ):
            self.window.panel_page = None
        elif controller.model.unit is None:
            controller.update(Note("Select a unit: the game app is filled in for it."))
        else:
            asked = game_app_page.Asked(what or self._asked_now(), controller.model.unit.id, self._target())
            page = game_app_page.panel_page(controller.model.battle, asked)
            self.filled, self.window.panel_page = (asked, page) if page is not None else None, page
            self._version = controller.state.record.version

    def _asked_now(self) -> str:
        """Return the action or button to open the app with: the proposed action, else the one asked for last."""
        machine = game_app_page.machine_of(self._rules)
        proposal = self.window.controller.state.chosen.proposal
        if machine is None:
            return ""
        if proposal is not None and proposal.action.kind in machine.actions:
            return proposal.action.kind
        return self.filled[0].what if self.filled is not None else machine.first

    def _target(self) -> str | None:
        proposal = self.window.controller.state.chosen.proposal
        return proposal.action.target if proposal is not None and proposal.action.target else self.foe

    def by_hand(self) -> None:
        """Open the full game app, its form filled in as on this page."""
        if self.filled is not None:
            asked = self.filled[0]
            self.window.going = Go(
                ToCalculatorOnTable(self.window.controller.model.battle, asked.what, asked.unit, asked.target)
            )

    def keep(self) -> None:
        """Refill the open form when the battle has changed; close it when one of its units has left the table."""
        controller, version = self.window.controller, self.window.controller.state.record.version
        if (
            self.filled is None
            or self.window.panel_page is None
            or self.window.panel_page != self.filled[1]
            or self._version == version
        ):
            return
        asked, self._version = self.filled[0], version
        present = controller.model.battle.has(asked.unit) and (
            asked.target is None or controller.model.battle.has(asked.target)
        )
        page = game_app_page.panel_page(controller.model.battle, asked) if present else None
        self.filled, self.window.panel_page = (asked, page) if page is not None else None, page

    def keep_foe(self) -> None:
        """Remember the enemy the player last pointed at while this unit was selected."""
        controller, mine = self.window.controller, self.window.controller.model.unit
        enemies = {unit.id for unit in controller.model.battle.enemies(mine)} if mine is not None else set()
        kept = controller.model.hovered if controller.model.hovered in enemies else self.foe
        self.foe = kept if kept in enemies else None
