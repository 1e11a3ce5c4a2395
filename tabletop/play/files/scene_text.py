"""A scene as the text of its file."""

from __future__ import annotations

from tabletop.play.files.draft import Draft
from tabletop.play.files.file_text import file_text


def scene_text(draft: Draft) -> str:
    """Return the text of a draft's file; reading it gives the same scene, to the last digit."""
    return file_text(draft.data)
