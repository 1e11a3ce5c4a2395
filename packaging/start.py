"""Where the self-contained program starts. Worker processes are the same program, started again as an interpreter."""

from __future__ import annotations

import multiprocessing
import runpy
import sys


def interpreted(words: list[str]) -> bool:
    """Do what ``python -m MODULE`` and ``python -c CODE`` do, which workers are started with; False for other words."""
    while words and words[0] in ("-B", "-E", "-I", "-s", "-S", "-u"):
        words = words[1:]
    if len(words) < 2 or words[0] not in ("-m", "-c"):
        return False
    sys.argv = [words[0], *words[2:]]
    if words[0] == "-m":
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        exec(words[1], {"__name__": "__main__"})
    return True


if __name__ == "__main__":
    multiprocessing.freeze_support()
    if not interpreted(sys.argv[1:]):
        from tabletop.__main__ import main

        main()
