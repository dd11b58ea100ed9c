"""Asking a person at a terminal: completion as one types, a line below that says what is being chosen, a clock."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.shortcuts import clear

from rulelang.table.terminal import TimeUp

_MOST_OFFERED = 100


class MoveCompleter(Completer):
    """Offers the words that may come next; each stands for all that was typed."""

    def __init__(self, complete: Callable[[str], list[str]]) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions of what stands before the cursor."""
        start = document.text_before_cursor.lstrip()
        for text in self._complete(start)[:_MOST_OFFERED]:
            yield Completion(text, start_position=-len(start))


class TerminalPrompter:
    """The keyboard and screen of one terminal."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(history=InMemoryHistory(), key_bindings=_no_mouse())

    def ask(
        self, prompt: str, complete: Callable[[str], list[str]], hint: Callable[[str], str], seconds: float | None
    ) -> str:
        """A line; the text typed so far decides what is offered and what the line below says."""
        loop_time: dict[str, float] = {}

        def below() -> FormattedText:
            text = hint(get_app().current_buffer.text.lstrip())
            if seconds is not None and "end" in loop_time:
                left = max(0, round(loop_time["end"] - asyncio.get_running_loop().time()))
                text = f"{left // 60}:{left % 60:02} left · {text}"
            return FormattedText([("", text)])

        def started() -> None:
            if seconds is not None:
                loop_time["end"] = asyncio.get_running_loop().time() + seconds
                get_app().create_background_task(_out_of_time(seconds))

        return self._session.prompt(
            prompt, completer=MoveCompleter(complete), complete_while_typing=True, bottom_toolbar=below,
            refresh_interval=0.5 if seconds is not None else 0, pre_run=started, reserve_space_for_menu=6,
        )

    def reply(self, question: str, offer: bool | None = None) -> str:
        """What is typed at a question of yes or no, of which the offered answer is shown as Enter's."""
        may_be = {None: "y/n", True: "Y/n", False: "y/N"}[offer]
        return self._plain(f"{question} ({may_be}) ")

    def hand_over(self, text: str) -> None:
        """Clear the screen, with what has scrolled away, so that nobody reads back what was not for them."""
        clear()
        sys.stdout.write("\033[3J")
        sys.stdout.flush()
        self._plain(f"{text} Enter, when they are there ")
        clear()

    def _plain(self, text: str) -> str:
        session: PromptSession[Any] = PromptSession(key_bindings=_no_mouse())
        return str(session.prompt(text))


def _no_mouse() -> KeyBindings:
    """No mouse is asked for. What looks like its report is a sequence that somebody has pasted or typed, such as a
    colour's, and what would read it as one fails."""
    bindings = KeyBindings()

    @bindings.add(Keys.Vt100MouseEvent)
    def _(event: KeyPressEvent) -> None:
        """It is no key."""

    return bindings


async def _out_of_time(seconds: float) -> None:
    await asyncio.sleep(seconds)
    app = get_app()
    if app.is_running and not app.is_done:
        app.exit(exception=TimeUp())
