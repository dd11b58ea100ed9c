"""The names of colours that terminals or pictures know; numbers behind a name are shades of it."""

from __future__ import annotations

import re

_COLOURS = frozenset("""
    aquamarine black blue blue_violet bright_black bright_blue bright_cyan bright_green bright_magenta
    bright_red bright_white bright_yellow brown cadet_blue chartreuse cornflower_blue cornsilk crimson cyan
    dark_blue dark_cyan dark_goldenrod dark_green dark_khaki dark_magenta dark_olive_green dark_orange dark_red
    dark_sea_green dark_slate_gray dark_turquoise dark_violet darkblue darkgreen darkred deep_pink deep_sky_blue
    dodger_blue gold gray green green_yellow grey honeydew hot_pink indian_red indigo khaki light_coral
    light_cyan light_goldenrod light_green light_pink light_salmon light_sea_green light_sky_blue
    light_slate_blue light_slate_gray light_slate_grey light_steel_blue light_yellow lime magenta maroon
    medium_orchid medium_purple medium_spring_green medium_turquoise medium_violet_red misty_rose navajo_white
    navy navy_blue olive orange orange_red orchid pale_green pale_turquoise pale_violet_red pink plum purple red
    rosy_brown royal_blue salmon sandy_brown sea_green silver sky_blue slate_blue spring_green steel_blue tan
    teal thistle turquoise violet wheat white yellow
""".split())  # noqa: SIM905
_STYLES = frozenset(("bold", "dim", "italic", "underline", "reverse", "on"))
_CODE = re.compile("#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


def unknown_colour(text: str) -> str:
    """The first word of a colour that means nothing; '' if all do."""
    for word in text.split():
        if word.lower().rstrip("0123456789") not in _COLOURS and word not in _STYLES and not _CODE.fullmatch(word):
            return word
    return ""


def names() -> frozenset[str]:
    """All names, without the numbers of their shades."""
    return _COLOURS
