"""The part of the judge's screen that commands, keys and file actions use."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.judge.chooser import Chooser
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.form import Form
from tabletop.render.judge.keeping import Printer
from tabletop.render.judge.mouse import Mouse
from tabletop.render.judge.view import View
from tabletop.render.screens import Going


class JudgingState(Protocol):
    """The judge's table in use: controller, camera, the file being chosen, and what is open."""

    controller: JudgeController
    form: Form
    view: View
    mouse: Mouse
    printer: Printer
    camera: Camera
    new: dict[str, str]
    about: dict[str, str]
    chooser: Chooser | None
    sure: Path | None
    folder: Path | None
    helping: bool
    reading: str
    going: Going | None
    cursor: tuple[int, int]

    def do(self, word: str) -> None: ...
    def build(self) -> None: ...
    def recover(self) -> None: ...
    def forget(self) -> None: ...
    def open(self, path: Path) -> None: ...
    def card_drawing(self, name: str = "", digits: str = "") -> Drawing | None: ...
    def fit(self) -> None: ...
    def pan(self, right: float, down: float) -> None: ...
    def zoom(self, factor: float, pixel: tuple[int, int]) -> None: ...
    def keep_hand_in_sight(self) -> None: ...
