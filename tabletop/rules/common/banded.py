"""Tables whose rows apply up to a limit, such as range bands and ladders."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.geometry.measure import Tape


def band(tape: Tape, limits: Sequence[float], value: float) -> int | None:
    """Return the number of the band a value falls in, limits inclusive; None beyond the last.

    >>> tape = Tape.of("mm", 1.0)
    >>> [band(tape, (50.0, 100.0), value) for value in (50.0, 51.0, 101.0)]
    [0, 1, None]
    """
    return next((k for k, limit in enumerate(limits) if tape.at_most(value, limit)), None)
