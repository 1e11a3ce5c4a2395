"""``python -m tabletop``."""

from __future__ import annotations

import os

from tabletop.startup_gc import gc_suspended


def main() -> None:
    """Run the command line."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # or numpy starts threads, for larger matrices than any here
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # searching every package for plugins takes time
    with gc_suspended():
        from tabletop.cli import run
    run()


if __name__ == "__main__":
    main()
