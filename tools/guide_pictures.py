"""Every picture of the guides, made by the program itself.

python -m tools.guide_pictures          write docs/pictures/*.png
python -m tools.guide_pictures --list   list the command that makes each
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tabletop import cli

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "docs/pictures"
DISPUTES = "scenarios/tse/disputes"
#: The command that makes each picture, without its output path.
PICTURES = {
    "teaching-table": "render scenarios/tse/teaching.yaml",
    "quatre-bras": "render scenarios/tse/quatre-bras.yaml",
    "random-ground": "render docs/examples/random-ground.yaml",
    "starter": "render scenarios/tse/starter.yaml",
    "formations": "render docs/examples/formations.yaml",
    "guns-and-column": "judge docs/examples/guns-and-column.yaml fire guns column",
    "level-shadow": f"judge {DISPUTES}/level-shadow.yaml los low-guns middle",
    "supported-battery": f"judge {DISPUTES}/supported-battery.yaml fire guns target",
    "fall-back-from-behind": (
        f"judge {DISPUTES}/fall-back-from-behind.yaml fallback struck-behind --from raiders --distance 6"
    ),
    "razor-edge": f"judge {DISPUTES}/razor-edge.yaml los south-guns south-target",
    "passing-at-an-inch": f"judge {DISPUTES}/passing-at-an-inch.yaml move east-guns --path 15.45,14",
    "long-sand": "render scenarios/sail/long-sand.yaml",
    "lissa": "render scenarios/sail/lissa.yaml",
    "luetzen": "render scenarios/glaube/luetzen.yaml",
    "maida": "render scenarios/destiny/maida.yaml",
    "schellenberg": "render scenarios/gloire/schellenberg.yaml",
    "rossbach": "render scenarios/reason/rossbach.yaml",
    "waterloo-evening": "render scenarios/destiny/waterloo-evening.yaml",
    "raking": "judge scenarios/sail/disputes/raking.yaml fire gannet zeeland",
    "overhead-fire": f"judge {DISPUTES}/overhead-fire.yaml fire guns beyond",
}


def words(name: str) -> list[str]:
    """Return the command that makes a picture."""
    making = shlex.split(PICTURES[name])
    return [*making, "--out" if making[0] == "render" else "--diagram", f"{FOLDER}/{name}.png"]


def main(arguments: list[str]) -> int:
    """Make every picture; return 2 if one could not be made."""
    if "--list" in arguments:
        print("\n".join("tabletop " + shlex.join(words(name)) for name in PICTURES))
        return 0
    statuses = [cli.status(words(name)) for name in PICTURES]
    return 2 if 2 in statuses else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
