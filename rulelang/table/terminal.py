"""A game in a terminal: shows what each person may see, asks for moves, obeys the table's commands."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from rulelang.engine import MoveError, PlayFault
from rulelang.source.diagnostic import RulelangError
from rulelang.table.explaining import explanation_lines, refusal_lines
from rulelang.table.facts import clock_seconds, has_hands
from rulelang.table.fitting import Sheet
from rulelang.table.script import outcome
from rulelang.table.seats import HUMAN
from rulelang.table.session import Table
from rulelang.table.telling import Teller
from rulelang.table.words import listed, result_line, title_line

HELP = """type a move, or a part of it and Tab; or one of these:
  moves          what may be played now
  explain MOVE   whether a move is legal, and by which line of the rules
  board          show the board again
  undo           take back your own last move
  save FILE      keep the game in a file of your own
  quit           stop here; the game is kept and can be gone on with
  help           this
where a move is called like one of these, write /help, /undo ... for the command"""

COMMANDS = ("moves", "explain", "board", "undo", "save", "quit", "help")
_MOST_SHOWN = 200
_YES_NO = {"y": True, "yes": True, "n": False, "no": False}


class TimeUp(Exception):
    """The time of the seat that is asked has run out."""


class Prompter(Protocol):
    """How a person is asked. `EOFError` is the end of their input, `KeyboardInterrupt` their Ctrl-C."""

    def ask(
        self, prompt: str, complete: Callable[[str], list[str]], hint: Callable[[str], str], seconds: float | None
    ) -> str:
        """A line of text; `TimeUp` once the seconds are over."""
        ...

    def reply(self, question: str, offer: bool | None = None) -> str:
        """What is typed at a question of yes or no; an offer is what an empty line will mean."""
        ...

    def hand_over(self, text: str) -> None:
        """Clear the screen and wait until the next person is there."""
        ...


class Printer(Protocol):
    """Where lines go."""

    @property
    def coloured(self) -> bool:
        """Whether colours are shown."""
        ...

    @property
    def sheet(self) -> Sheet:
        """What they are shown on."""
        ...

    def show(self, *lines: object) -> None:
        """Print lines: plain texts, or pieces with colours."""
        ...


class Quit(Exception):
    """The person has had enough for now."""


class Sitting:
    """One sitting at the table, until the game is over or the person leaves."""

    def __init__(self, table: Table, prompter: Prompter, printer: Printer, *, trace: bool = False) -> None:
        self.table = table
        self.prompter = prompter
        self.printer = printer
        self.trace = trace
        people = table.people
        self.hot_seat = len(people) > 1 and has_hands(table.state.game)
        # A single person looks on from their own seat all the time; several see the same where nothing is hidden from
        # some of them, and else what each may see when it is their turn at the keyboard.
        self.viewer: int | None = people[0] if len(people) == 1 else None
        self.at_keyboard: int | None = None
        self.tellers: dict[int | None, Teller] = {}
        self.clock = clock_seconds(table.state.game)
        self.left = table.left or [float(self.clock)] * len(table.names)
        self.running: int | None = None  # whose clock runs
        self.began = 0.0
        if self.clock:
            table.clocks = self._left_now

    def play(self) -> None:
        """Until the game is over; `Quit`, `EOFError` or `KeyboardInterrupt` if it is left before."""
        header = self.table.header
        self.printer.show(
            title_line(header.game, header.variant, header.options, header.players, header.seed),
            *(f"note: {note}" for note in self.table.notes),
            "`help` tells what can be typed",
        )
        try:
            while not self.table.state.over:
                self._one()
        finally:
            if not self.table.state.over:
                self.table.keep_time()
        if self.hot_seat:
            self.viewer = None
            # The last moves were told to nobody yet; what all have been told is not told again.
            self._teller().pass_over(min(self._told_to(seat) for seat in self.table.people))
        teller = self._teller()
        self.printer.show(*teller.news(), *teller.board(), *teller.panels(), "")
        self.printer.show(result_line(self.table.state.result, self.table.names, len(self.table.moves)))
        self.table.finish(outcome(self.table))

    def _one(self) -> None:
        state = self.table.state
        if state.question is not None:
            self._answer(state.question.text)
            return
        seat = state.to_act[0]
        if self.table.seats[seat] == HUMAN:
            self._turn(seat)
            return
        self._timed(seat, lambda left: self.table.bot_move(seat))
        if not self.hot_seat:
            self.printer.show(*self._teller().news())

    def _answer(self, question: str) -> None:
        """Answer the question that waits: whoever sits there, with the answer of the model that it names as an offer;
        where bots play alone that model."""
        judged = self.table.judged()
        if self.table.people:
            if not self.hot_seat:
                self.printer.show(*self._teller().news())
            if judged is None:
                judged = self._yes(question)
            else:
                self.printer.show(self.table.state.judged_so())
                judged = self._yes(question, judged)
        self.table.answer(self.table.coin() if judged is None else judged)

    def _yes(self, question: str, offer: bool | None = None) -> bool:
        """Ask until the answer is yes or no; the board may be looked at before, and the table left."""
        while True:
            typed = self.prompter.reply(question, offer).strip().lower().removeprefix("/")
            if not typed and offer is not None:
                return offer
            if typed in _YES_NO:
                return _YES_NO[typed]
            if typed == "quit":
                raise Quit
            if typed == "board":
                self.printer.show(*self._teller().board(), *self._teller().panels())
            else:
                self.printer.show("answer yes or no; `board` shows the board, `quit` leaves, the game is kept")

    # ------------------------------------------------------------------------------------------- a person's turn

    def _turn(self, seat: int) -> None:
        if self.hot_seat and self.at_keyboard != seat:
            self.prompter.hand_over(f"Pass the keyboard to {self.table.names[seat]}.")
        self.at_keyboard = seat
        if self.hot_seat:
            self.viewer = seat
        teller = self._teller()
        self.printer.show(*teller.news(), *teller.board(), *teller.panels(), "")
        before = self.table.state
        while self.table.state is before and not before.over:
            try:
                self._timed(seat, lambda left: self._line(seat, left))
            except MoveError as error:
                self.printer.show(f"{error}", *(f"   {line}" for line in refusal_lines(error)))
            except PlayFault:
                raise
            except RulelangError as error:
                self.printer.show(str(error))
            except OSError as error:
                self.printer.show(f"{error.filename}: {error.strerror}" if error.filename else str(error))

    def _line(self, seat: int, left: float | None) -> None:
        text = self.prompter.ask(
            f"{self.table.names[seat]}> ", lambda start: self._complete(start, seat),
            lambda start: self._hint(start, seat), left,
        ).strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        command = word.removeprefix("/").lower()
        if command in COMMANDS and (word.startswith("/") or not self._is_action(command)):
            self._command(command, rest.strip(), seat)
            return
        self.table.play(seat, text)
        if not self.hot_seat:
            self.printer.show(*self._teller().news())

    def _is_action(self, word: str) -> bool:
        return any(action.name == word for action in self.table.state.game.actions)

    def _complete(self, start: str, seat: int) -> list[str]:
        found = self.table.state.complete(start, seat)
        return found + [word for word in COMMANDS if word.startswith(start.lower()) and word not in found]

    def _hint(self, start: str, seat: int) -> str:
        """What is being chosen, for the line below the prompt."""
        game, phase = self.table.state.game, self.table.state.phase
        offered = [game.actions[n] for p in game.phases if p.name == phase for n in p.actions]
        word = start.split(" ", 1)[0]
        started = [action for action in offered if action.name == word] or [
            action for action in offered if not word or action.name.startswith(word)
        ]
        says = " · ".join(action.says or action.name for action in started or offered)
        refused = self._refused(start, seat)
        return f"{refused} · {says}" if refused else says

    def _refused(self, text: str, seat: int) -> str:
        """Why what was typed so far cannot become a move, if it is one by its form."""
        state = self.table.state
        if not text.strip() or text.startswith("/") or state.complete(text, seat):
            return ""
        try:
            found = state.explain(text, seat)
        except RulelangError:
            return ""
        return found.reason if found.action and not found.legal else ""

    # ------------------------------------------------------------------------------------------- commands

    def _command(self, word: str, rest: str, seat: int) -> None:
        table, show = self.table, self.printer.show
        if word == "help":
            show(HELP)
        elif word == "moves":
            texts = [move.text for move in table.state.moves(seat)]
            more = f"… and {len(texts) - _MOST_SHOWN} more" if len(texts) > _MOST_SHOWN else ""
            show(*listed(texts[:_MOST_SHOWN], self.printer.sheet.width), *([more] if more else []))
        elif word == "board":
            show(*self._teller().board(), *self._teller().panels())
        elif word == "explain":
            show(*self._explained(rest, seat))
        elif word == "save":
            self._save(rest)
        elif word == "undo":
            self._undo(seat)
        else:
            raise Quit

    def _explained(self, text: str, seat: int) -> list[str]:
        if not text:
            return ["explain which move?"]
        try:
            return explanation_lines(self.table.state.explain(text, seat))
        except MoveError as error:
            return [str(error)]

    def _save(self, name: str) -> None:
        if not name:
            self.printer.show("save under which name?")
        elif self.table.log is None:
            self.printer.show("this game has no record that could be kept")
        else:
            path = Path(name).expanduser()
            self.table.keep_time()
            aside = self.table.log.copy_to(path)
            self.printer.show(f"saved in {path}" + (f"; the game that was there is now {aside}" if aside else ""))

    def _undo(self, seat: int) -> None:
        index = self.table.last_decision(seat)
        if index is None:
            self.printer.show("there is no move of yours to take back")
            return
        learned = self.table.learned_since(index)
        if learned:
            if any(kind != HUMAN for kind in self.table.seats):
                self.printer.show(f"that cannot be taken back: {learned}")
                return
            if not self._yes(f"{learned[0].upper()}{learned[1:]}. Do all agree to take it back?"):
                return
        self.table.take_back(index, seat)
        for teller in self.tellers.values():
            teller.taken_back(index)
        self.printer.show("taken back")

    # ------------------------------------------------------------------------------------------- time and looks

    def _timed(self, seat: int, act: Callable[[float | None], object]) -> None:
        """Let somebody act while their clock runs."""
        if not self.clock:
            act(None)
            return
        self.running, self.began = seat, time.monotonic()
        try:
            act(self.left[seat])
        except TimeUp:
            self.left[seat] = 0.0
            self.printer.show(f"the time of {self.table.names[seat]} has run out")
            self.table.clock_out(seat)
        finally:
            self.left[:] = self._left_now()
            self.running = None

    def _left_now(self) -> list[float]:
        """The seconds left of each seat now."""
        left = list(self.left)
        if self.running is not None:
            left[self.running] = max(0.0, left[self.running] - (time.monotonic() - self.began))
        return left

    def _told_to(self, seat: int) -> int:
        """How many happenings a seat was told of."""
        teller = self.tellers.get(seat)
        return 0 if teller is None else teller.told or 0

    def _teller(self) -> Teller:
        if self.viewer not in self.tellers:
            self.tellers[self.viewer] = Teller(
                self.table, self.viewer, trace=self.trace, left=self.left, coloured=self.printer.coloured,
                sheet=lambda: self.printer.sheet)
        return self.tellers[self.viewer]
