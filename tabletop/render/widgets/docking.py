"""Placing a small picture over the table, clear of its subjects and hiding as little else as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.render.drawing.camera import Camera

#: Possible places within a room; the first of the best is taken.
EDGES = ("topright", "bottomright", "bottomleft", "topleft", "midright", "midleft", "midtop", "midbottom")
#: Possible places beside a subject: the picture's anchor, and the subject's.
BESIDE = (
    *(("midleft", "midright"), ("midright", "midleft"), ("midtop", "midbottom"), ("midbottom", "midtop")),
    *(("bottomleft", "bottomright"), ("bottomright", "bottomleft"), ("topleft", "topright"), ("topright", "topleft")),
)


def at_an_edge(
    size: tuple[int, int], room: pygame.Rect, subjects: Iterable[pygame.Rect], others: Iterable[pygame.Rect] = ()
) -> pygame.Rect:
    """Return the place at an edge of a room that hides least of the subjects, then least of the others.

    >>> at_an_edge((100, 50), pygame.Rect(0, 0, 400, 300), [pygame.Rect(350, 10, 20, 20)])
    Rect(300, 250, 100, 50)
    """
    places = []
    for edge in EDGES:
        place = pygame.Rect((0, 0), size)
        setattr(place, edge, getattr(room, edge))
        places.append(place)
    return least_hiding(places, subjects, others)


def beside(
    size: tuple[int, int], subject: pygame.Rect, away: int, room: pygame.Rect, others: Iterable[pygame.Rect] = ()
) -> pygame.Rect:
    """Return the place beside a subject, in a room, that hides none of it and least of the others.

    >>> beside((100, 50), pygame.Rect(350, 100, 20, 20), 10, pygame.Rect(0, 0, 400, 300))
    Rect(240, 85, 100, 50)
    """
    grown, places = subject.inflate(2 * away, 2 * away), []
    for own, of in BESIDE:
        place = pygame.Rect((0, 0), size)
        setattr(place, own, getattr(grown, of))
        places.append(place.clamp(room))
    return least_hiding(places, (subject,), others)


def least_hiding(
    places: Sequence[pygame.Rect], subjects: Iterable[pygame.Rect], others: Iterable[pygame.Rect] = ()
) -> pygame.Rect:
    """Return the place that hides least of the subjects, among equals least of the others; the first of the best."""
    first, second = tuple(subjects), tuple(others)
    return min(places, key=lambda place: (_hidden(place, first), _hidden(place, second)))


def _hidden(place: pygame.Rect, things: Sequence[pygame.Rect]) -> int:
    return sum(over.width * over.height for over in map(place.clip, things))


def box_of(unit: Unit, camera: Camera) -> pygame.Rect:
    """Return the box of a unit in pixels."""
    west, south, east, north = unit.footprint.bounds
    (left, top), (right, bottom) = camera.to_screen((west, north)), camera.to_screen((east, south))
    return pygame.Rect(left, top, max(1.0, right - left), max(1.0, bottom - top))


def box_round(point: Point, radius: float, camera: Camera) -> pygame.Rect:
    """Return the box in pixels around a point, with a radius in table units."""
    x, y = camera.to_screen(point)
    far = max(1.0, radius * camera.scale)
    return pygame.Rect(x - far, y - far, 2 * far, 2 * far)
