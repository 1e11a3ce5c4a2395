"""Writes a battle to files: the view, the whole table, the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tabletop.play.saves import report
from tabletop.render.destinations import Subject
from tabletop.render.drawing import scene
from tabletop.render.drawing.primitives import Drawing, Layer
from tabletop.render.drawing.report_page import write_page
from tabletop.render.drawing.theme import colour
from tabletop.render.painting.files import write_picture
from tabletop.render.places import documents_folder, free_path, pictures_folder


def view(subject: Subject) -> Drawing:
    """Return what the camera shows, at its scale: the window's own drawings, cut at the table's edge of the view."""
    camera = subject.camera
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    box = (west, south, east, north)
    layers = tuple(_cut(layer, box) for drawing in subject.drawings for layer in drawing.layers)
    return Drawing(layers, box, camera.drawn, subject.title, "", colour("page", "paper"))


def _cut(layer: Layer, box: tuple[float, float, float, float]) -> Layer:
    """Return a layer cut at the edge of the picture too."""
    if layer.clip is None:
        return replace(layer, clip=box)
    w, s, e, n = layer.clip
    return replace(layer, clip=(max(w, box[0]), max(s, box[1]), min(e, box[2]), min(n, box[3])))


def whole(subject: Subject) -> Drawing:
    """Return the whole table on a page with title, ruler and key."""
    return scene.picture(subject.battle)


def write_view(subject: Subject, suffix: str, all_of_it: bool = False) -> Path:
    """Write a picture (``.png`` or ``.svg``) of the view, or of the whole table; return its path.

    BadQuestion or Unsaved, in one line, if it cannot be written; then no file is written.
    """
    drawing = whole(subject) if all_of_it else view(subject)
    density = 1.0 if all_of_it else subject.camera.density
    path = free_path(pictures_folder(), subject.title, suffix)
    return write_picture(path, drawing, density)


def write_report(subject: Subject) -> Path:
    """Write the battle's report as a page; return its path."""
    assert subject.header is not None, "only a battle being played or saved has a report"
    path = free_path(documents_folder(), subject.battle.title or "battle", ".html")
    write_page(path, report.report(subject.header, list(subject.steps)))
    return path
