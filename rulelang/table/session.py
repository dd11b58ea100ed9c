"""One game at a table: its state, its record, what may be taken back. Knows nothing of screens.

The record is all there is: going on with a saved game and taking a move back both play the happenings that stand
again from the start, and since chance comes from the seed they lead to the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulelang.engine import HIDDEN, Interpreter, Move, State, Stream, TraceEntry, quoted
from rulelang.engine.views import Values
from rulelang.loading import Ruleset, load
from rulelang.model.types import BagOf, DeckOf, ListOf, SetOf, Switch, Type
from rulelang.players import Bot, make
from rulelang.source.diagnostic import RulelangError
from rulelang.table import log as logs
from rulelang.table.fingerprint import fingerprint
from rulelang.table.seats import HUMAN

Happening = dict[str, Any]
_UNTOLD = "…"


class ReplayError(RulelangError):
    """A saved game cannot be played again; `cause` is the refusal of its move, or the fault in play."""

    def __init__(self, message: str, cause: RulelangError) -> None:
        self.cause = cause
        super().__init__(message)


class Table:
    """A game in progress."""

    def __init__(self, ruleset: Ruleset, header: logs.Header, seats: Sequence[str], trace: bool = False) -> None:
        self.ruleset = ruleset
        self.header = header
        self.seats = tuple(seats)
        self.log: logs.Log | None = None
        self.traced: list[TraceEntry] = []
        self.interpreter: Interpreter = ruleset.interpreter(header.players)
        self._bots_think_by = self.interpreter      # what they try out in their heads is not traced
        if trace:
            self.interpreter = Interpreter(ruleset.machine(header.players), trace=self.traced.append)
        self.happenings: list[Happening] = []
        self.ended = False  # its result is recorded
        self.left: list[float] | None = None  # the seconds left of each seat, as recorded before this sitting
        self.clocks: Callable[[], list[float]] | None = None  # what they show now, where clocks run
        self.notes: list[str] = []
        self.state: State = self._start()
        self._bots: dict[int, Bot] = {}

    @classmethod
    def new(
        cls, ruleset: Ruleset, *, players: int, seed: int, seats: Sequence[str], options: Mapping[str, str],
        path: Path | None, trace: bool = False,
    ) -> Table:
        """Start a game. It is recorded at `path`, or in the user's own directory if that is None. With `trace`,
        `traced` collects what each rule did."""
        header = logs.Header(
            file=str(Path(ruleset.path).resolve()), game=ruleset.title, rules=fingerprint(ruleset.document),
            variant=ruleset.chosen, options=dict(options), players=players, seed=seed, seats=tuple(seats),
        )
        table = cls(ruleset, header, seats, trace)
        try:
            table.log = logs.Log.create(path or logs.default_place(ruleset.title), header)
        except OSError as error:
            if path is not None:
                raise
            table.notes.append(f"this game is not being saved: {error.strerror or error}; `--save FILE` names a place")
        return table

    @classmethod
    def resume(
        cls, path: Path, *, rules: str | None = None, onto: Path | None = None, write: bool = True,
        until: int | None = None, trace: bool = False,
    ) -> Table:
        """Go on with a saved game: by the rules it names, or by those of the file `rules`; recorded in the same file
        or, if given, in a copy of it at `onto`. Without `write` it is only looked at, as it was after its first
        `until` happenings."""
        saved = logs.read(path)
        try:
            table = cls._played_again(path, saved, rules, until, trace)
        except RulelangError as error:
            if rules is not None and (title := load(rules).title) != saved.header.game:
                raise _another_game(f"{path} is a saved game of {saved.header.game}, not of {title}", error) from error
            raise
        if write:
            table._record_on(path, saved, onto)
        return table

    @classmethod
    def _played_again(cls, path: Path, saved: logs.Saved, rules: str | None, until: int | None, trace: bool) -> Table:
        header = saved.header
        if rules is None and not Path(header.file).exists():
            raise logs.LogError(f"{path}: its rules are no longer at {header.file}; name the rules file beside it")
        ruleset = load(rules or header.file, variants=header.variant, options=header.options)
        table = cls(ruleset, header, saved.seats, trace)
        if saved.torn:
            table.notes.append(f"{path}: the last line was torn off in writing and is left out")
        if fingerprint(ruleset.document) != header.rules:
            table.notes.append(
                "the rules have changed since this game was saved; it is played again by the rules as they are now"
            )
        table.happenings = saved.happenings[:until]
        table.state = table._replay(table.happenings)
        table.ended, table.left = saved.ended, saved.left
        return table

    def sit(self, seats: Sequence[str]) -> None:
        """Who sits where from now on."""
        if tuple(seats) != self.seats:
            self.seats = tuple(seats)
            self._bots.clear()
            self._write({"seats": list(seats)})

    def _record_on(self, path: Path, saved: logs.Saved, onto: Path | None) -> None:
        if onto is None or (onto.exists() and onto.resolve() == path.resolve()):
            self.log = logs.Log.go_on(path, saved)
            return
        self.log = logs.Log.create(onto, self.header)
        self._write({"seats": list(self.seats)})
        for line in self.happenings:
            self._write(line)
        if saved.left is not None:
            self._write({"left": saved.left})

    # ------------------------------------------------------------------------------------------- what happens

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return tuple(self.state.game.seats)

    @property
    def moves(self) -> list[str]:
        """The moves that were made and stand, as they are written."""
        return [line["move"] for line in self.happenings if "move" in line]

    def moves_told(self) -> list[str]:
        """The moves as they may be told to everybody: while people play on, of a bot's move that the rules hide no more
        than the others were told."""
        if self.state.over or not self.people:
            return self.moves
        notation, waiting = self.interpreter.notation, dict(enumerate(self.state.core.plans))
        found = []
        for text, move in zip(reversed(self.moves), reversed(self.state.history), strict=True):
            hides = self.seats[move.seat] != HUMAN
            if waiting.pop(move.seat, None) is not None and hides:
                text = _UNTOLD      # chosen, before all have
            elif hides and notation.has_secret(move):
                text = notation.public(move)
            found.append(text)
        return found[::-1]

    def play(self, seat: int, move: Move | str) -> Move:
        """Make a move. If it is refused, or meets a fault in the rules, the position stays as it was."""
        after = self.state.copy()
        made = after.play(move, seat)
        self._happen({"seat": seat + 1, "move": made.text}, after)
        return made

    def bot_move(self, seat: int) -> Move:
        """Let the bot at that seat move. It sees what its seat may see, and its chance is the same after a resume."""
        bot = self._bots.get(seat)
        if bot is None:
            bot = self._bots[seat] = make(self.seats[seat], self._bots_think_by, seat)
        chance = Stream(self.header.seed, f"bot {seat + 1}", len(self.happenings))
        return self.play(seat, bot.choose(self.state.view(seat), chance))

    def answer(self, yes: bool) -> None:
        """Answer the question that waits."""
        after = self.state.copy()
        after.answer(yes)
        self._happen({"answer": "yes" if yes else "no"}, after)

    def judged(self) -> bool | None:
        """What the model that the waiting question names answers, with its chance from the seed. None if the question
        names no model, or none that is installed: then the table must answer."""
        from rulelang.judges.registry import UnknownJudge

        try:
            return self.state.model_answer()
        except UnknownJudge:
            return None

    def coin(self) -> bool:
        """An answer by chance, from the seed."""
        return Stream(self.header.seed, "table", len(self.happenings)).below(2) == 1

    def clock_out(self, seat: int) -> None:
        """The time of a seat ran out."""
        after = self.state.copy()
        after.clock_out(seat)
        self._happen({"clock": seat + 1}, after)

    def finish(self, data: Mapping[str, Any]) -> None:
        """Write the result as the record's last line."""
        if not self.ended:
            self.ended = True
            self._write({"end": dict(data)})

    def keep_time(self) -> None:
        """Record what the clocks show, without anything that happens."""
        if self.clocks is not None:
            self._write(self._time())

    def _time(self) -> Happening:
        return {} if self.clocks is None else {"left": [round(one, 1) for one in self.clocks()]}

    def _happen(self, line: Happening, after: State) -> None:
        line = {**line, **self._time()}
        self._write(line)
        self.happenings.append(line)
        self.state = after

    def _write(self, line: Happening) -> None:
        if self.log is not None:
            self.log.write(line)

    # ------------------------------------------------------------------------------------------- going back

    def _start(self) -> State:
        return self.interpreter.start(seed=self.header.seed)

    def _replay(self, happenings: Sequence[Happening]) -> State:
        state = self._start()
        for number, line in enumerate(happenings, 1):
            try:
                _let_happen(state, line)
            except RulelangError as error:
                told = _told(line, state.game.seats)
                raise ReplayError(f"number {number} of the saved game, {told}: {error}", error) from error
        self.traced.clear()  # what was played before is no news
        return state

    def seen(self, state: State, seat: int | None) -> Values:
        """The values that a seat sees in a position."""
        return self.interpreter.views.values(state.scratch(), seat)[0]

    def past(self, since: int = 0) -> list[State]:
        """The positions from after the first `since` happenings on, the oldest first, the last one as it stands."""
        found = [self.state]
        for _ in range(len(self.happenings) - since):
            before = found[-1].copy()
            before.undo()
            found.append(before)
        return found[::-1]

    def last_decision(self, seat: int) -> int | None:
        """Which happening was the last move of that seat."""
        for index in range(len(self.happenings) - 1, -1, -1):
            if self.happenings[index].get("seat") == seat + 1 and "move" in self.happenings[index]:
                return index
        return None

    def learned_since(self, index: int) -> str:
        """What anybody has learned since before that happening, in words; empty if nothing.

        Chance that has spoken counts; everything that some seat could not see then and can now; and something that is
        gone from where a seat cannot see it, if with it something has changed that the seat does see: a card that was
        played out of a hand, or handed on. What was only put where nobody else sees it, such as a ship, tells nothing.
        """
        before = self._replay(self.happenings[:index])
        if any(event.kind == "draw" for event in self.state.events[len(before.events) :]):
            return "something was drawn since"
        for seat in (None, *range(len(self.names))):
            old, new = self.seen(before, seat), self.seen(self.state, seat)
            if revealed(old, new) or (_left_unseen(before, self.state, new) and _seen_to_change(old, new)):
                return "something hidden came to light since"
        return ""

    def take_back(self, index: int, seat: int) -> None:
        """Back to the position before that happening."""
        self.state = self._replay(self.happenings[:index])
        self.ended = False
        del self.happenings[index:]
        self._write({"back": index, "seat": seat + 1, **self._time()})

    @property
    def people(self) -> list[int]:
        """The seats where a person sits."""
        return [seat for seat, kind in enumerate(self.seats) if kind == HUMAN]


def _another_game(message: str, error: RulelangError) -> RulelangError:
    """Say first that the record is of another game; then what that led to, if moves were played."""
    if isinstance(error, ReplayError):
        return ReplayError(f"{message}; {error}", error.cause)
    return logs.LogError(message)


def _let_happen(state: State, line: Happening) -> None:
    if "move" in line:
        state.play(str(line["move"]), int(line["seat"]) - 1)
    elif "answer" in line:
        state.answer(line["answer"] == "yes")
    else:
        state.clock_out(int(line["clock"]) - 1)


def _told(line: Happening, names: Sequence[str]) -> str:
    if "move" in line:
        seat = int(line.get("seat", 0)) - 1
        return f"{quoted(str(line['move']))} by {names[seat] if 0 <= seat < len(names) else f'seat {seat + 1}'}"
    return f"the answer {line['answer']}" if "answer" in line else f"the time of seat {line['clock']} ran out"


def _left_unseen(before: State, after: State, seen: Values) -> bool:
    """Whether something has left a place that is hidden. What was only put where nothing was tells nothing of it."""
    return any(
        value is HIDDEN
        and _lost(field.type, before.core.v[field.offset + place], after.core.v[field.offset + place])
        for field in after.machine.fields for place, value in enumerate(seen[field.name])
    )


def _lost(kind: Type, old: Any, new: Any) -> bool:
    """Whether something that a value was or held is gone."""
    match kind:
        case SetOf():
            return bool(old & ~new)
        case BagOf():
            return any(one > other for one, other in zip(old, new, strict=True))
        case DeckOf() | ListOf():
            return bool(Counter(old) - Counter(new))
        case Switch():
            return old and not new
        case _:
            return old is not None and old != new


def _seen_to_change(old: Values, new: Values) -> bool:
    return any(
        a is not b and a != b and HIDDEN not in (a, b)
        for name in old for a, b in zip(old[name], new[name], strict=True)
    )


def revealed(old: Values, new: Values) -> list[tuple[str, int]]:
    """What a view hid and a later one does not: variables, and the places of their entries."""
    return [
        (name, place) for name, values in old.items() for place, value in enumerate(values)
        if value is HIDDEN and new[name][place] is not HIDDEN
    ]
