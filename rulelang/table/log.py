"""The record of a game, written move by move as it is played, so that a killed process loses nothing.

A file of lines, each one JSON object. The first says which game it is:

    {"log": 1, "file": …, "game": …, "rules": sha256, "variant": […], "options": {…}, "players": n, "seed": n,
     "seats": […]}

and each further line what happened, seats counted from 1:

    {"seat": 1, "move": "open a1"}          a move
    {"answer": "yes"}                       what the table answered to a question
    {"clock": 2}                            seat 2's time ran out
    {"back": 5, "seat": 1}                  taken back: only the first five happenings stand
    {"seats": ["human", "greedy"]}          who sits where from now on
    {"left": [30.5, 12.0]}                  somebody left while a clock ran: the seconds left of each seat
    {"end": {…}}                            the result

Where clocks run, each line of what happened has "left" too.

A line counts once its line end is written. A last line without one was torn by the end of the process; it is
dropped.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from rulelang.source.diagnostic import RulelangError

FORMAT = 1


class LogError(RulelangError):
    """A saved game cannot be read or gone on with."""


@dataclass(frozen=True, slots=True)
class Header:
    """Which game a log is of. `options` are those set beside the variants, as written on a command line."""

    file: str
    game: str
    rules: str
    variant: tuple[str, ...]
    options: dict[str, str]
    players: int
    seed: int
    seats: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """The first line of the log."""
        return {
            "log": FORMAT, "file": self.file, "game": self.game, "rules": self.rules, "variant": list(self.variant),
            "options": self.options, "players": self.players, "seed": self.seed, "seats": list(self.seats),
        }


@dataclass(slots=True)
class Saved:
    """What a log tells: the happenings that stand, after all that was taken back."""

    header: Header
    happenings: list[dict[str, Any]] = field(default_factory=list)
    seats: tuple[str, ...] = ()
    left: list[float] | None = None  # seconds left of each seat, as they were told last
    ended: bool = False
    torn: bool = False
    size: int = 0  # bytes up to the last whole line


def default_place(title: str) -> Path:
    """A new file in the user's own state directory, named after the game and the time."""
    from platformdirs import user_state_path

    folder = user_state_path("rulelang", appauthor=False) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", title.lower()).strip("-") or "game"
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return folder / f"{name}-{stamp}-{secrets.token_hex(2)}.game"


def _need_folder(path: Path) -> None:
    """A folder that is not there is misspelt, more likely than wanted."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))


def read(path: Path) -> Saved:
    """Read a log; `LogError` if it is none."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
    whole, _, rest = raw.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    header = _header(path, lines[0] if lines else rest)
    if not lines:
        raise LogError(f"{path}: the saved game breaks off in its first line, nothing of it can be gone on with")
    saved = Saved(header, seats=header.seats, torn=bool(rest.strip()), size=len(whole) + 1)
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            _take(saved, _object(path, number, line), f"{path}:{number}")
    return saved


def is_log(path: Path) -> bool:
    """Whether the file starts as a log does."""
    try:
        with path.open("rb") as file:
            _header(path, file.readline(1_000_000))
    except (OSError, LogError):
        return False
    return True


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LogError(f"{path}:{number}: this line of the saved game cannot be read") from error
    if not isinstance(data, dict):
        raise LogError(f"{path}:{number}: this line of the saved game cannot be read")
    return data


def _header(path: Path, line: bytes) -> Header:
    try:
        data = json.loads(line)
        if data["log"] != FORMAT:
            raise LogError(f"{path}: saved by another version of rulelang (log format {data['log']})")
        return Header(
            file=str(data["file"]), game=str(data["game"]), rules=str(data["rules"]),
            variant=tuple(map(str, data["variant"])), options={str(k): str(v) for k, v in data["options"].items()},
            players=int(data["players"]), seed=int(data["seed"]), seats=tuple(map(str, data["seats"])),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LogError(f"{path}: this is not a saved game of rulelang") from error


def _take(saved: Saved, line: dict[str, Any], place: str) -> None:
    """Let one line of the log happen."""
    try:
        if "left" in line:
            # Time does not come back with what is taken back.
            saved.left = [float(one) for one in line["left"]]
            if len(saved.left) != saved.header.players:
                raise ValueError
        if "back" in line:
            if not 0 <= int(line["back"]) <= len(saved.happenings):
                raise ValueError
            del saved.happenings[int(line["back"]) :]
            saved.ended = False
        elif "seats" in line:
            saved.seats = tuple(map(str, line["seats"]))
        elif "end" in line:
            saved.ended = True
        elif "move" in line or "answer" in line or "clock" in line:
            saved.happenings.append(line)
        elif "left" not in line:
            raise ValueError
    except (ValueError, TypeError) as error:
        raise LogError(f"{place}: this line of the saved game makes no sense") from error


def _move_aside(path: Path, open_log: Path | None = None) -> Path:
    """Keep the saved game that is there beside its place, under a name that ends with ~."""
    if not is_log(path) and path.stat().st_size:
        raise LogError(f"{path} is there and is not a saved game; it is left as it is")
    aside = path.with_name(path.name + "~")
    if open_log is not None and aside.exists() and aside.resolve() == open_log.resolve():
        raise LogError(f"{path} is a saved game, and {aside}, where it would be kept, is the record of this game")
    os.replace(path, aside)
    return aside


class Log:
    """An open log. Each line is handed to the system as soon as it is written."""

    def __init__(self, path: Path, file: TextIOWrapper) -> None:
        self.path = path
        self._file = file

    @classmethod
    def create(cls, path: Path, header: Header) -> Log:
        """Start a log. A saved game that is there already is kept beside it, under a name that ends with ~."""
        _need_folder(path)
        if path.exists():
            _move_aside(path)
        log = cls(path, path.open("w", encoding="utf-8", newline="\n"))
        log.write(header.as_data())
        return log

    @classmethod
    def go_on(cls, path: Path, saved: Saved) -> Log:
        """Open a log that was read, to write on; what was torn off is cut away first."""
        if path.stat().st_size != saved.size:
            os.truncate(path, saved.size)
        return cls(path, path.open("a", encoding="utf-8", newline="\n"))

    def write(self, line: dict[str, Any]) -> None:
        """Add one line."""
        self._file.write(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")) + "\n")
        self._file.flush()

    def copy_to(self, path: Path) -> Path | None:
        """A second file with all that is written so far; where the saved game is now that was there."""
        if path.exists() and path.resolve() == self.path.resolve():
            return None
        _need_folder(path)
        aside = _move_aside(path, self.path) if path.exists() else None
        path.write_bytes(self.path.read_bytes())
        return aside

    def close(self) -> None:
        """Nothing more will be written."""
        self._file.close()
