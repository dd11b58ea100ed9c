"""The models that are installed: entry points of the group `rulelang.judges`.

A package offers a model in its pyproject.toml, and whoever installs the package has it:

    [project.entry-points."rulelang.judges"]
    "physics.stands" = "rulelang.judges.statics:stands"

A rules file can only *name* a model. It holds neither a path nor an import, so that reading and checking a rules file
runs no code that its writer chose: `names` looks into the packages' metadata and imports nothing, `get` imports the
one model that is played with.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from rulelang.judges.question import JudgeError, Model
from rulelang.source.diagnostic import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rulelang.judges"


class UnknownJudge(JudgeError, KeyError):
    """No model of that name is installed."""

    def __str__(self) -> str:
        return str(self.args[0])


def names() -> tuple[str, ...]:
    """The names of all installed models, sorted. Nothing is imported for it."""
    return tuple(_installed())


@lru_cache(maxsize=64)
def get(name: str) -> Model:
    """The model of that name. It is imported now; `JudgeError` says what is missing if that fails."""
    point = _installed().get(name)
    if point is None:
        raise UnknownJudge(f"unknown judge `{name}`: {hint(name)}")
    try:
        model = point.load()
    except ModuleNotFoundError as missing:
        remedy = _remedy(point, missing)
        raise JudgeError(f"the judge `{name}` needs {missing.name}, which is not installed: {remedy}") from missing
    except (ImportError, AttributeError) as broken:
        raise JudgeError(f"the judge `{name}` cannot be loaded from `{point.value}`: {broken}") from broken
    if not callable(model):
        raise JudgeError(f"the judge `{name}` cannot be loaded from `{point.value}`: it is no function")
    return model  # type: ignore[no-any-return]


def hint(name: str) -> str:
    """For a name that is not installed: the nearest that is, and all that are."""
    known = names()
    if not known:
        return "no judge is installed"
    near = did_you_mean(name, known)
    return f"{near} installed: {', '.join(known)}" if near else f"installed: {', '.join(known)}"


def forget() -> None:
    """Look again the next time: packages may have come or gone."""
    _installed.cache_clear()
    get.cache_clear()


@lru_cache(maxsize=1)
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to load, and most games have no judge

    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value))}


def _remedy(point: EntryPoint, missing: ModuleNotFoundError) -> str:
    """What to install: the smallest extra of the model's package that brings the module, else the module's package."""
    module = (missing.name or "").partition(".")[0]
    package = point.dist
    sizes: dict[str, int] = {}
    bringing = []
    for wanted in (package.requires or ()) if package is not None else ():
        requirement, _, marker = wanted.partition(";")
        asked = re.match(r"[A-Za-z0-9._-]+", requirement.strip())
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker)
        if asked and extra:
            sizes[extra[1]] = sizes.get(extra[1], 0) + 1
            if _same(asked[0], module):
                bringing.append(extra[1])
    if package is None or not bringing:
        return f"pip install {module}"
    return f"pip install '{package.name}[{min(bringing, key=lambda extra: (sizes[extra], extra))}]'"


def _same(package: str, module: str) -> bool:
    return re.sub(r"[-_.]+", "-", package).casefold() == re.sub(r"[-_.]+", "-", module).casefold()
