"""A board as plain text with coordinates, for a terminal.

`text_rows` gives lines. `text_pieces` gives the same lines in pieces, each with the cell it shows (or -1), so that a
caller can colour the cells.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import combining, east_asian_width

from rulelang.boards.board import Board, bits, column_name

Piece = tuple[str, int]
Line = list[Piece]

EMPTY = "."
_MOST_POINTS = 200  # more are listed
_LONG_TRACK = 12  # cells; a longer track lies in two rows
_UNITS, _DOWN = (4, 2), 2  # characters and lines from one point of a graph to the next


def text_rows(board: Board, glyphs: Mapping[int, str], width: int = 80) -> list[str]:
    """The board in lines of at most `width` characters if it can be; cells without a glyph show as `.`."""
    return ["".join(text for text, _ in line).rstrip() for line in text_pieces(board, glyphs, width)]


def text_pieces(board: Board, glyphs: Mapping[int, str], width: int = 80) -> list[Line]:
    """The lines of `text_rows` in pieces: (text, the cell it shows or -1)."""
    if board.kind == "hexes":
        return _hexes(board, glyphs, width)
    if board.kind == "track":
        return _track(board, glyphs, width)
    if board.kind == "lattice":
        return _lattice(board, glyphs, width)
    if board.kind == "graph":
        return _points(board, glyphs, width)
    return _grid(board, glyphs, width)


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: wide letters two, combining ones none."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _fit(text: str, width: int) -> str:
    """A text in the middle of `width` columns, rather left of it."""
    free = max(width - columns_of(text), 0)
    return " " * (free // 2) + text + " " * (free - free // 2)


def _right(text: str, width: int) -> str:
    return " " * max(width - columns_of(text), 0) + text


def _widest(texts: Mapping[int, str], least: int = 1) -> int:
    return max([least, *(columns_of(text) for text in texts.values())])


def _cell(board: Board, cell: int, glyphs: Mapping[int, str], width: int) -> Piece:
    if cell < 0:
        return " " * width, -1
    return _fit(glyphs.get(cell, EMPTY), width), cell


def _panels(count: int, cell: int, room: int) -> tuple[list[range], int]:
    """The columns in parts that fit into `room`, and how many blanks stand between two cells."""
    for gap in (1, 0):
        if count * (cell + gap) - gap <= room:
            return [range(count)], gap
    each = max((room + 1) // (cell + 1), 1)
    return [range(start, min(start + each, count)) for start in range(0, count, each)], 1


def _row(board: Board, cells: Sequence[int], glyphs: Mapping[int, str], size: int, gap: int) -> Line:
    line: Line = []
    for number, cell in enumerate(cells):
        if number and gap:
            line.append((" " * gap, -1))
        line.append(_cell(board, cell, glyphs, size))
    return line


def _letters(columns: range, size: int, gap: int) -> list[str]:
    """Lines of column letters: one, or two where two letters don't fit into a cell's width."""
    names = [column_name(column + 1) for column in columns]
    if max(len(name) for name in names) <= size:
        return [(" " * gap).join(_fit(name, size) for name in names)]
    upper = (" " * gap).join(_fit(name[:-1], size) for name in names)
    lower = (" " * gap).join(_fit(name[-1], size) for name in names)
    return [upper, lower]


def _grid(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    picture = board.picture
    if board.numbered:
        return _numbered_grid(board, glyphs, width)
    margin = len(str(len(picture)))
    size = _widest(glyphs)
    lines: list[Line] = []
    panels, gap = _panels(len(picture[0]), size, width - margin - 2)
    for columns in panels:
        if lines:
            lines.append([])
        for number, row in enumerate(picture):
            label = _right(str(len(picture) - number), margin) + "  "
            lines.append([(label, -1), *_row(board, [row[c] for c in columns], glyphs, size, gap)])
        lines += [[(" " * (margin + 2) + letters, -1)] for letters in _letters(columns, size, gap)]
    return lines


def _numbered_grid(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    """Empty spaces show their numbers; at the ends of each row stand its first and its last number."""
    picture = board.picture
    shown = {cell: glyphs.get(cell, board.names[cell]) for cell in range(len(board))}
    margin = max(len(name) for name in board.names)
    size = _widest(shown)
    panels, gap = _panels(len(picture[0]), size, width - 2 * margin - 4)
    lines: list[Line] = []
    for columns in panels:
        if lines:
            lines.append([])
        for row in picture:
            cells = [row[c] for c in columns]
            there = [board.names[cell] for cell in cells if cell >= 0] or [""]
            line = [(_right(there[0], margin) + "  ", -1), *_row(board, cells, shown, size, gap)]
            lines.append([*line, ("  " + there[-1], -1)])
    return lines


def _hexes(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    picture = board.picture
    margin = len(str(len(picture)))
    size = _widest(glyphs)
    pitch = size + 1 if size % 2 else size + 2
    gap, half = pitch - size, pitch // 2
    each = max((width - margin - 1 - half * len(picture)) // pitch, 4)
    across = len(picture[0])
    lines: list[Line] = []
    for start in range(0, across, each):
        columns = range(start, min(start + each, across))
        if lines:
            lines.append([])
        lines += [[(" " * (margin + 1 - half) + letters, -1)] for letters in _letters(columns, size, gap)]
        for number, row in enumerate(picture):
            label = " " * (half * number) + _right(str(number + 1), margin) + " "
            lines.append([(label, -1), *_row(board, [row[c] for c in columns], glyphs, size, gap)])
        under = " " * (margin + 1 + half * len(picture))
        lines += [[(under + letters, -1)] for letters in _letters(columns, size, gap)]
    return lines


def _track(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    """A long track with as many cells there as back lies in two rows, the way back above; others go on line by line."""
    size = max(_widest(glyphs), len(board.names[-1]))
    each = max((width + 1) // (size + 1), 1)
    half = len(board) // 2
    if _LONG_TRACK < len(board) == 2 * half and half <= each:
        above, below = range(len(board) - 1, half - 1, -1), range(half)
        return [_track_names(board, above, size), _track_cells(above, glyphs, size), [],
                _track_cells(below, glyphs, size), _track_names(board, below, size)]
    lines: list[Line] = []
    for start in range(0, len(board), each):
        cells = range(start, min(start + each, len(board)))
        if lines:
            lines.append([])
        lines += [_track_names(board, cells, size), _track_cells(cells, glyphs, size)]
    return lines


def _track_names(board: Board, cells: range, size: int) -> Line:
    return [(" ".join(_right(board.names[cell], size) for cell in cells), -1)]


def _track_cells(cells: range, glyphs: Mapping[int, str], size: int) -> Line:
    line: Line = []
    for cell in cells:
        line += [(" ", -1)] * bool(line)
        line.append((_right(glyphs.get(cell, EMPTY), size), cell))
    return line


def _lattice(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    """The layers that hold something, from the lowest, side by side; at the end the height of each column."""
    across, along, _ = board.sizes
    heights: dict[int, str] = {}
    for cell in sorted(glyphs):
        x, y, z = board.coordinates[cell]
        heights[y * across + x] = str(z + 1)
    top = max((board.coordinates[cell][2] for cell in glyphs), default=0)
    margin = len(str(along))
    size = max(_widest(glyphs), _widest(heights))
    layer = across * along
    blocks: list[tuple[str, Mapping[int, str], int]] = [
        (f"layer {z + 1}", {c - z * layer: glyphs[c] for c in glyphs if c // layer == z}, z * layer)
        for z in range(top + 1)
    ]
    blocks.append(("height", heights, -1))
    wide = max(across * (size + 1) - 1, len(f"layer {top + 1}"))
    each = max((width - margin - 2 + 3) // (wide + 3), 1)
    lines: list[Line] = []
    for start in range(0, len(blocks), each):
        shown = blocks[start : start + each]
        if lines:
            lines.append([])
        lines.append([(" " * (margin + 2) + "   ".join(f"{title:<{wide}}" for title, _, _ in shown), -1)])
        for y in reversed(range(along)):
            line: Line = [(_right(str(y + 1), margin) + "  ", -1)]
            for number, (_, texts, first) in enumerate(shown):
                line += [("   ", -1)] * bool(number)
                row = _row(board, range(y * across, (y + 1) * across), texts, size, 1)
                line += [(text, cell + first if cell >= 0 <= first else -1) for text, cell in row]
                line.append((" " * (wide - across * (size + 1) + 1), -1))
            lines.append(line)
        letters = _letters(range(across), size, 1)
        for part in letters:
            lines.append([(" " * (margin + 2) + "   ".join(f"{part:<{wide}}" for _ in shown), -1)])
    return lines


@dataclass(slots=True)
class _Canvas:
    """Letters at places, later ones over earlier ones."""

    letters: dict[tuple[int, int], Piece] = field(default_factory=dict)

    def write(self, column: int, line: int, text: str, cell: int = -1) -> None:
        """Put a text there; a wide letter keeps the column after it for itself."""
        for letter in text:
            self.letters[line, column] = (letter, cell)
            for _ in range(columns_of(letter) - 1):
                column += 1
                self.letters[line, column] = ("", cell)
            column += 1

    def lines(self) -> list[Line]:
        """What was written, line by line."""
        made: list[Line] = []
        for number in range(max(line for line, _ in self.letters) + 1):
            ends = [column for line, column in self.letters if line == number]
            made.append([self.letters.get((number, c), (" ", -1)) for c in range(max(ends, default=-1) + 1)])
        return made


def _points(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    """Points where their names say, with the links that are straight; the other links are listed below.

    Points without places of their own are listed with their links.
    """
    xs, ys = [x for x, _, _ in board.coordinates], [y for _, y, _ in board.coordinates]
    left, high = min(xs), max(ys)
    margin = len(str(max(board.row))) + 2
    units = [unit for unit in _UNITS if (max(xs) - left) * unit + _widest(glyphs) + margin <= width]
    if not board.row[0] or not units or len(board) > _MOST_POINTS:
        return _listed(board, glyphs, width)
    unit = units[0]
    canvas = _Canvas()
    spots = [(margin + (x - left) * unit, (high - y) * _DOWN) for x, y, _ in board.coordinates]
    links = [(a, b) for a in range(len(board)) for b in bits(board.links[a]) if a < b]
    undrawn = [(a, b) for a, b in links if not _link(canvas, spots, a, b, unit)]
    for cell, (column, line) in enumerate(spots):
        canvas.write(column, line, glyphs.get(cell, EMPTY), cell)
        canvas.write(0, line, _right(str(board.row[cell]), margin - 2))
        canvas.write(column, (high - min(ys)) * _DOWN + 1, column_name(board.column[cell]))
    lines = canvas.lines()
    if undrawn:
        text = "also linked: " + ", ".join(f"{board.names[a]} {board.names[b]}" for a, b in undrawn)
        lines += [[], *([(line, -1)] for line in textwrap.wrap(text, width))]
    return lines


def _link(canvas: _Canvas, spots: Sequence[tuple[int, int]], a: int, b: int, unit: int) -> bool:
    """Draw a link if it is a straight or diagonal line of characters that passes no other point."""
    (x1, y1), (x2, y2) = sorted((spots[a], spots[b]))
    across, down = x2 - x1, y2 - y1
    if down == 0:
        path, letter = [(x, y1) for x in range(x1 + 1, x2)], "-"
    elif across == 0:
        path, letter = [(x1, y) for y in range(y1 + 1, y2)], "|"
    elif across * _DOWN == abs(down) * unit:
        sign = 1 if down > 0 else -1
        path = [(x1 + n * unit // _DOWN, y1 + n * sign) for n in range(1, abs(down))]
        letter = "\\" if down > 0 else "/"
    else:
        return False
    if any(spot in path for spot in spots):
        return False
    for column, line in path:
        old = canvas.letters.get((line, column), (letter, -1))[0]
        crossed = letter if old == letter else "X" if {old, letter} == {"/", "\\"} else "+"
        canvas.write(column, line, crossed)
    return True


def _listed(board: Board, glyphs: Mapping[int, str], width: int) -> list[Line]:
    """One line a point: its glyph, its name, the points it is linked to."""
    size, longest = _widest(glyphs), max(columns_of(name) for name in board.names)
    margin = size + 1 + longest + 2
    lines: list[Line] = []
    for cell, name in enumerate(board.names):
        others = ", ".join(board.names[other] for other in bits(board.links[cell]))
        first, *more = textwrap.wrap(others, max(width - margin, 20)) or [""]
        text = f" {name}{' ' * (longest - columns_of(name) + 2)}{first}"
        lines += [[_cell(board, cell, glyphs, size), (text, -1)], *([(" " * margin + part, -1)] for part in more)]
    return lines
