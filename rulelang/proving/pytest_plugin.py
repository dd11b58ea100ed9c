"""pytest collects the examples of rules files.

It does so for files that are named, `pytest my.rules`, and for those in the folders that the ini option
`rulelang_examples` lists. Rules files that merely lie where pytest looks for tests are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulelang.proving.examples import Outcome
    from rulelang.proving.positions import Examples


def pytest_addoption(parser: pytest.Parser) -> None:
    """The folders whose rules files are tests."""
    parser.addini("rulelang_examples", "folders whose rules files are tests", type="paths", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take the rules files that are meant."""
    if file_path.suffix != ".rules" or not _is_meant(file_path, parent.config):
        return None
    file: RulesFile = RulesFile.from_parent(parent, path=file_path)
    return file


def _is_meant(file: Path, config: pytest.Config) -> bool:
    here = config.invocation_params.dir
    named = [(here / str(word).split("::", 1)[0]).resolve() for word in config.args]
    folders = [Path(folder).resolve() for folder in config.getini("rulelang_examples")]
    return file.resolve() in named or any(file.resolve().is_relative_to(folder) for folder in folders)


class RulesFile(pytest.File):
    """A rules file: a test for each of its examples."""

    def collect(self) -> Iterator[pytest.Item]:
        """The examples in their order."""
        from rulelang.loading import load
        from rulelang.proving.positions import Examples

        examples = Examples(load(self.path))
        for title in examples.forms:
            yield ExampleItem.from_parent(self, name=title, examples=examples)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str | Any:
        """Faults in the rules are told in their own words."""
        from rulelang.source.diagnostic import RulelangError

        if isinstance(excinfo.value, RulelangError):
            return str(excinfo.value)
        return pytest.File.repr_failure(self, excinfo)


class ExampleItem(pytest.Item):
    """One example."""

    def __init__(self, *, examples: Examples, **given: Any) -> None:
        super().__init__(**given)
        self.examples = examples

    def runtest(self) -> None:
        """Play it and compare."""
        from rulelang.proving.examples import run_example

        outcome = run_example(self.examples, self.name)
        if not outcome.holds:
            raise ExampleFailed(outcome)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str | Any:
        """What is not as the example says."""
        if isinstance(excinfo.value, ExampleFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the example stands: file, line from 0, name."""
        place = self.examples.form(self.name).place
        return Path(place.file), place.line - 1, self.name


class ExampleFailed(Exception):
    """An example does not hold."""

    def __init__(self, outcome: Outcome) -> None:
        lines = []
        for problem in outcome.problems:
            lines.append(f"{problem.place}: {problem.message}")
            lines += [f"   {line}" for line in problem.details]
        super().__init__("\n".join(lines))
