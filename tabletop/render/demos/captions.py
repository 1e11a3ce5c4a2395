"""The narration of a demo as captions with times, for video players: SubRip (.srt) and WebVTT (.vtt)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tabletop.demos.cues import Cue
from tabletop.render.demos.timeline import Part

#: The longest line of a caption, in letters.
LONGEST = 42


@dataclass(frozen=True)
class Caption:
    """A text and the time it is shown, in seconds from the beginning."""

    start: float
    end: float
    text: str


def captions(parts: Iterable[Part]) -> list[Caption]:
    """Return the narration, each text once for as long as it is shown."""
    merged = list[Caption]()
    for part in parts:
        text = cue_text(part.cue)
        if not text:
            continue
        if merged and merged[-1].text == text and merged[-1].end == part.start:
            merged[-1] = Caption(merged[-1].start, part.end, text)
        else:
            merged.append(Caption(part.start, part.end, text))
    return merged


def cue_text(cue: Cue) -> str:
    """Return the text of a cue, with the choices of a question."""
    if cue.asked is None or cue.answered or not cue.asked.choices:
        return cue.text
    return f"{cue.text} {' / '.join(cue.asked.choices)}"


def srt(entries: Sequence[Caption]) -> str:
    """Return captions as SubRip."""
    rows = (f"{k}\n{_time(c.start, ',')} --> {_time(c.end, ',')}\n{_lines(c.text)}\n" for k, c in enumerate(entries, 1))
    return "\n".join(rows)


def vtt(entries: Sequence[Caption]) -> str:
    """Return captions as WebVTT."""
    rows = (f"{_time(c.start, '.')} --> {_time(c.end, '.')}\n{_escaped(_lines(c.text))}\n" for c in entries)
    return "\n".join(("WEBVTT\n", *rows))


#: The writers of captions, by the suffix of the file.
WRITERS: Mapping[str, Callable[[Sequence[Caption]], str]] = {".srt": srt, ".vtt": vtt}


def _time(seconds: float, point: str) -> str:
    """Return a time in the format of captions: 00:01:02,500."""
    whole = round(1000 * seconds)
    minutes, rest = divmod(whole, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}{point}{rest % 1000:03}"


def _lines(text: str) -> str:
    return "\n".join(textwrap.wrap(text, LONGEST))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
