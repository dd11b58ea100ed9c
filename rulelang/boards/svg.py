"""A board as an SVG picture: flat boards with their coordinates, a lattice as coloured cubes seen from above.

The picture needs no fonts, scripts or files but itself. Everything that comes from a rules file is escaped, and a
colour that is not a plain name or `#rrggbb` is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from rulelang.boards.board import Board, bits, column_name
from rulelang.boards.layout import STEP
from rulelang.boards.tables import part_of, tables

Spot = tuple[float, float]

CELL = 44.0
PAPER, CARD, INK, LINE, FAINT, MARK = "#ffffff", "#f3ead6", "#1f1f1f", "#8a7f6c", "#6f675a", "#d97706"
DISCS = ("●", "○")
_OUTSIDE = 30.0
_TRACK_ROW = 30
_PLAIN_COLOUR = re.compile(r"[A-Za-z]{3,20}|#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}")
_KNOWN = {
    **{"black": 0x000000, "white": 0xFFFFFF, "gray": 0x808080, "grey": 0x808080, "silver": 0xC0C0C0, "red": 0xFF0000},
    **{"blue": 0x0000FF, "green": 0x008000, "purple": 0x800080, "brown": 0xA52A2A, "navy": 0x000080, "teal": 0x008080},
    **{"maroon": 0x800000, "olive": 0x808000, "yellow": 0xFFFF00, "orange": 0xFFA500, "pink": 0xFFC0CB},
    **{"cyan": 0x00FFFF, "lime": 0x00FF00, "magenta": 0xFF00FF, "gold": 0xFFD700, "violet": 0xEE82EE, "tan": 0xD2B48C},
    **{"indigo": 0x4B0082, "crimson": 0xDC143C, "darkgreen": 0x006400, "darkblue": 0x00008B, "darkred": 0x8B0000},
}


def svg(
    board: Board,
    glyphs: Mapping[int, str],
    colours: Mapping[int, str],
    title: str,
    areas: Sequence[int] = (),
    marks: int = 0,
    inks: Mapping[int, str] | None = None,
) -> str:
    """The picture of a board: `glyphs` and `colours` by cell, thick lines between the `areas` of a grid.

    The cells of `marks` (of the last move, say) are outlined; a glyph with an ink stands on a disc of it. In a
    lattice the cells that have a glyph or a colour are cubes, the others are air. The glyphs ● and ○ are drawn as
    discs.
    """
    drawing = _Drawing()
    fills, discs = ({c: _plain(colour) for c, colour in given.items()} for given in (colours, inks or {}))
    scene = _Scene(board, glyphs, fills, areas, marks, discs)
    painters: Mapping[str, Callable[[_Drawing, _Scene], None]] = {
        "grid": _grid,
        "hexes": _hexes,
        "track": _track,
        "lattice": _lattice,
        "graph": _graph,
    }
    painters[board.kind](drawing, scene)
    return drawing.text(title)


@dataclass(frozen=True, slots=True)
class _Scene:
    board: Board
    glyphs: Mapping[int, str]
    colours: Mapping[int, str]
    areas: Sequence[int]
    marks: int
    inks: Mapping[int, str]

    def fill(self, cell: int, otherwise: str = CARD) -> str:
        return self.colours.get(cell) or otherwise

    def marked(self, cell: int) -> bool:
        return bool(self.marks >> cell & 1)


@dataclass(slots=True)
class _Drawing:
    """Elements in the order they are painted, and the box they fill."""

    parts: list[str] = field(default_factory=list)
    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)

    def polygon(self, spots: Sequence[Spot], fill: str, stroke: str = LINE, width: float = 1) -> None:
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in spots)
        self._see(*spots)
        self.parts.append(f'<polygon points="{points}" fill={quoteattr(fill)} {_stroke(stroke, width)}/>')

    def line(self, start: Spot, goal: Spot, stroke: str = LINE, width: float = 1) -> None:
        (x1, y1), (x2, y2) = start, goal
        self._see(start, goal)
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        self.parts.append(f'<line {ends} {_stroke(stroke, width)} stroke-linecap="round"/>')

    def circle(self, spot: Spot, radius: float, fill: str, stroke: str = INK, width: float = 1) -> None:
        x, y = spot
        self._see((x - radius, y - radius), (x + radius, y + radius))
        place = f'cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"'
        self.parts.append(f"<circle {place} fill={quoteattr(fill)} {_stroke(stroke, width)}/>")

    def write(self, spot: Spot, text: str, size: float, fill: str = INK, halo: bool = False) -> None:
        """A text centred on a spot."""
        x, y = spot
        half = 0.32 * size * len(text)
        self._see((x - half, y - size / 2), (x + half, y + size / 2))
        place = f'x="{_number(x)}" y="{_number(y + 0.35 * size)}" font-size="{_number(size)}"'
        glow = f' stroke="{PAPER}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"' if halo else ""
        self.parts.append(f"<text {place} fill={quoteattr(fill)}{glow}>{escape(_printable(text))}</text>")

    def glyph(self, spot: Spot, text: str, size: float, ground: str, disc: str = "") -> None:
        """A cell's glyph in an ink that shows on its ground, or on a disc; ● and ○ are drawn, not written."""
        if not text.strip():
            return
        if disc:
            self.circle(spot, size * 0.62, disc, INK, 1.5)
            ground = disc
        if text in DISCS:
            self.circle(spot, size * 0.48, INK if text == "●" else PAPER, INK, 1.5)
            return
        ink = PAPER if _is_dark(ground) else INK
        wide = sum(1.0 if letter in "MWmw" else 0.68 for letter in text)
        self.write(spot, text, size * min(1.0, 1.16 / wide), ink)

    def text(self, title: str) -> str:
        """The whole picture."""
        left, top = min(self.xs) - 8, min(self.ys) - 8
        width, height = max(self.xs) + 8 - left, max(self.ys) + 8 - top
        box = " ".join(_number(value) for value in (left, top, width, height))
        name = _printable(title)
        size = f'width="{_number(width)}" height="{_number(height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" aria-label={quoteattr(name)}'
        paper = f'<rect x="{_number(left)}" y="{_number(top)}" {size} fill="{PAPER}"/>'
        style = ' font-family="Segoe UI Symbol, DejaVu Sans, Arial, sans-serif" text-anchor="middle">'
        return "\n".join([head + style, f"<title>{escape(name)}</title>", paper, *self.parts, "</svg>", ""])

    def _see(self, *spots: Spot) -> None:
        self.xs += [x for x, _ in spots]
        self.ys += [y for _, y in spots]


def _grid(drawing: _Drawing, scene: _Scene) -> None:
    board = scene.board
    across, along = board.sizes

    def corner(x: float, y: float) -> Spot:
        return x * CELL, (along - y) * CELL

    drawing.polygon([corner(0, 0), corner(across, 0), corner(across, along), corner(0, along)], PAPER, LINE, 1)
    for cell, (x, y, _) in enumerate(board.coordinates):
        square = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)]
        drawing.polygon(square, scene.fill(cell))
        if board.numbered:
            ink = PAPER if _is_dark(scene.fill(cell)) else INK
            drawing.write(corner(x + 0.17, y + 0.85), board.names[cell], 10, ink)
    _borders(drawing, scene, corner)
    size = 0.6 if board.numbered else 0.66
    for cell, (x, y, _) in enumerate(board.coordinates):
        if scene.marked(cell):
            low, high = 0.06, 0.94
            inner = [corner(x + a, y + b) for a, b in ((low, low), (high, low), (high, high), (low, high))]
            drawing.polygon(inner, "none", MARK, 3)
        if cell in scene.glyphs:
            ink = scene.inks.get(cell, "")
            drawing.glyph(corner(x + 0.5, y + 0.5), scene.glyphs[cell], CELL * size, scene.fill(cell), ink)
    if not board.numbered:
        for x in range(across):
            drawing.write(corner(x + 0.5, -0.32), column_name(x + 1), 14, FAINT)
        for y in range(along):
            drawing.write(corner(-0.36, y + 0.5), str(y + 1), 14, FAINT)


def _borders(drawing: _Drawing, scene: _Scene, corner: Callable[[float, float], Spot]) -> None:
    """Thick lines round the areas of a grid, where cells next to each other belong to different ones."""
    if not scene.areas:
        return
    part = part_of(scene.areas, len(scene.board))
    at = {(x, y): part[cell] for cell, (x, y, _) in enumerate(scene.board.coordinates)}
    across, along = scene.board.sizes
    for x in range(across + 1):
        for y in range(along + 1):
            here = at.get((x, y), -1)
            if y < along and here != at.get((x - 1, y), -1):
                drawing.line(corner(x, y), corner(x, y + 1), INK, 2.5)
            if x < across and here != at.get((x, y - 1), -1):
                drawing.line(corner(x, y), corner(x + 1, y), INK, 2.5)


def _hexes(drawing: _Drawing, scene: _Scene) -> None:
    board = scene.board
    across, along = board.sizes
    radius = CELL * 0.6
    wide = radius * math.sqrt(3)

    def middle(x: float, y: float) -> Spot:
        return wide * (x + y / 2), radius * 1.5 * y

    def hexagon(spot: Spot, size: float) -> list[Spot]:
        turns = [math.radians(60 * n + 30) for n in range(6)]
        return [(spot[0] + size * math.cos(turn), spot[1] + size * math.sin(turn)) for turn in turns]

    for cell, (x, y, _) in enumerate(board.coordinates):
        spot = middle(x, y)
        drawing.polygon(hexagon(spot, radius), scene.fill(cell))
        if scene.marked(cell):
            drawing.polygon(hexagon(spot, radius * 0.86), "none", MARK, 3)
        if cell in scene.glyphs:
            drawing.glyph(spot, scene.glyphs[cell], CELL * 0.6, scene.fill(cell), scene.inks.get(cell, ""))
    for x in range(across):
        drawing.write(middle(x, -0.95), column_name(x + 1), 14, FAINT)
        drawing.write(middle(x, along - 0.05), column_name(x + 1), 14, FAINT)
    for y in range(along):
        drawing.write(middle(-0.85, y), str(y + 1), 14, FAINT)
        drawing.write(middle(across - 0.15, y), str(y + 1), 14, FAINT)


def _track(drawing: _Drawing, scene: _Scene) -> None:
    for cell, name in enumerate(scene.board.names):
        left, top = cell % _TRACK_ROW * CELL, cell // _TRACK_ROW * (CELL + 26)
        square = [(left, top), (left + CELL, top), (left + CELL, top + CELL), (left, top + CELL)]
        drawing.polygon(square, scene.fill(cell))
        if scene.marked(cell):
            inner = [(x + (3 if x == left else -3), y + (3 if y == top else -3)) for x, y in square]
            drawing.polygon(inner, "none", MARK, 3)
        drawing.write((left + CELL / 2, top - 9), name, 12, FAINT)
        if cell in scene.glyphs:
            ink = scene.inks.get(cell, "")
            drawing.glyph((left + CELL / 2, top + CELL / 2), scene.glyphs[cell], CELL * 0.6, scene.fill(cell), ink)


def _graph(drawing: _Drawing, scene: _Scene) -> None:
    board = scene.board
    placed = bool(board.row[0])
    longest = max(len(name) for name in board.names)
    unit = CELL * 1.25 if placed else max(CELL * 2, 9.0 * longest) / STEP
    spots = [(x * unit, -y * unit) for x, y, _ in board.coordinates]
    for a in range(len(board)):
        for b in bits(board.links[a]):
            if a < b:
                drawing.line(spots[a], spots[b], LINE, 2)
    for cell, spot in enumerate(spots):
        shown = cell in scene.glyphs or bool(scene.colours.get(cell))
        radius = CELL * (0.36 if shown else 0.15)
        if scene.glyphs.get(cell) not in DISCS:
            drawing.circle(spot, radius, scene.fill(cell), LINE, 1.5)
        if scene.marked(cell):
            drawing.circle(spot, radius + 4, "none", MARK, 3)
        if cell in scene.glyphs:
            drawing.glyph(spot, scene.glyphs[cell], CELL * 0.68, scene.fill(cell), scene.inks.get(cell, ""))
        if not placed:
            drawing.write((spot[0], spot[1] + radius + 11), board.names[cell], 13, INK, halo=True)
    if placed:
        left, low = min(x for x, _ in spots), max(y for _, y in spots)
        for x, column in sorted({(spot[0], board.column[cell]) for cell, spot in enumerate(spots)}):
            drawing.write((x, low + _OUTSIDE), column_name(column), 14, FAINT)
        for y, row in sorted({(spot[1], board.row[cell]) for cell, spot in enumerate(spots)}):
            drawing.write((left - _OUTSIDE, y), str(row), 14, FAINT)


def _lattice(drawing: _Drawing, scene: _Scene) -> None:
    """Seen from the south-east and above: columns run to the lower right, rows to the upper right."""
    board = scene.board
    across, along, _ = board.sizes

    def spot(x: float, y: float, z: float) -> Spot:
        return (x + y) * CELL * 0.8, (x - y) * CELL * 0.4 - z * CELL * 0.85

    for x in range(across):
        for y in range(along):
            tile = [spot(x, y, 0), spot(x + 1, y, 0), spot(x + 1, y + 1, 0), spot(x, y + 1, 0)]
            drawing.polygon(tile, CARD)
    for x in range(across):
        drawing.write(spot(x + 0.5, -0.35, 0), column_name(x + 1), 14, FAINT)
    for y in range(along):
        drawing.write(spot(across + 0.35, y + 0.5, 0), str(y + 1), 14, FAINT)
    cubes = [cell for cell in range(len(board)) if scene.glyphs.get(cell, "").strip() or scene.colours.get(cell)]
    full = set(cubes)
    near = tables(board).neighbour
    above, east, south = (near[board.directions.index(way)] for way in ("up", "east", "south"))
    cubes.sort(key=lambda c: (sum(_depth(board, c)), *_depth(board, c)))
    for cell in cubes:
        x, y, z = board.coordinates[cell]
        fill, glyph = scene.fill(cell, "#c9b994"), scene.glyphs.get(cell, "")
        edge, width = (MARK, 2.5) if scene.marked(cell) else (INK, 1.0)
        if south[cell] not in full:
            face = [spot(x, y, z), spot(x + 1, y, z), spot(x + 1, y, z + 1), spot(x, y, z + 1)]
            drawing.polygon(face, _shade(fill, 0.82), edge, width)
            drawing.glyph(spot(x + 0.5, y, z + 0.5), glyph, CELL * 0.4, _shade(fill, 0.82))
        if east[cell] not in full:
            face = [spot(x + 1, y, z), spot(x + 1, y + 1, z), spot(x + 1, y + 1, z + 1), spot(x + 1, y, z + 1)]
            drawing.polygon(face, _shade(fill, 0.64), edge, width)
        if above[cell] not in full:
            face = [spot(x, y, z + 1), spot(x + 1, y, z + 1), spot(x + 1, y + 1, z + 1), spot(x, y + 1, z + 1)]
            drawing.polygon(face, fill, edge, width)


def _depth(board: Board, cell: int) -> tuple[int, int, int]:
    """How near a cube is to the eye, along each axis."""
    x, y, z = board.coordinates[cell]
    return x, -y, z


def _stroke(stroke: str, width: float) -> str:
    return f'stroke="{stroke}" stroke-width="{_number(width)}"'


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _printable(text: str) -> str:
    """Without the control letters that XML refuses."""
    return "".join(letter for letter in text if letter.isprintable())


def _plain(colour: str) -> str:
    return colour if _PLAIN_COLOUR.fullmatch(colour) else ""


def _rgb(colour: str) -> tuple[int, int, int] | None:
    if colour.startswith("#"):
        digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
        value = int(digits, 16)
    elif colour.lower() in _KNOWN:
        value = _KNOWN[colour.lower()]
    else:
        return None
    return value >> 16, value >> 8 & 255, value & 255


def _is_dark(colour: str) -> bool:
    rgb = _rgb(colour)
    return rgb is not None and 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] < 128


def _shade(colour: str, part: float) -> str:
    """A darker tone; a colour whose tone isn't known stays as it is."""
    rgb = _rgb(colour)
    if rgb is None:
        return colour
    return "#" + "".join(f"{round(value * part):02x}" for value in rgb)
