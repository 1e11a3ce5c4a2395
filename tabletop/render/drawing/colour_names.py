"""Plain names of colours, for readers who do not see them as drawn."""

from __future__ import annotations

import colorsys

#: Upper limit of each name's hue in degrees, from red round to red again.
HUES = (
    (14, "red"), (45, "orange"), (70, "yellow"), (168, "green"), (188, "turquoise"), (250, "blue"), (295, "purple"),
    (345, "pink"), (360, "red"),
)  # fmt: skip
#: Below this saturation a colour is a grey; the minimum lightness of each grey, lightest first.
PALE = 0.15
GREYS = ((0.94, "white"), (0.7, "light grey"), (0.4, "grey"), (0.14, "dark grey"), (0.0, "black"))
#: Up to this lightness an orange is called brown; below and above these any other colour is called dark or light.
BROWN, DARK, LIGHT = 0.34, 0.22, 0.62


def name_of(colour: str) -> str:
    """Return the name of a colour given as ``#rrggbb``.

    >>> [name_of(colour) for colour in ("#0072b2", "#d55e00", "#009e73", "#f0e442", "#56b4e9", "#777777")]
    ['blue', 'orange', 'green', 'yellow', 'light blue', 'grey']
    """
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    if strength < PALE or light < 0.06 or light > 0.97:
        return next(name for least, name in GREYS if light >= least)
    name = next(name for most, name in HUES if hue * 360 <= most)
    if name == "orange" and light <= BROWN:
        return "brown"
    if name == "yellow":
        return name
    return f"dark {name}" if light < DARK else f"light {name}" if light > LIGHT else name
