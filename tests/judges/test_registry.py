"""Models are found by what is installed, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from towers import BOARD, Tower

from rulelang.boards.build import grid
from rulelang.judges import registry
from rulelang.judges.question import JudgeError, JudgeQuestion, chance_of_yes
from rulelang.judges.statics import stands
from rulelang.loading import check
from rulelang.source.diagnostic import RulelangError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Another package, with models of its own."""
    (tmp_path / "coins.py").write_text(
        "def fair(question):\n    return 0.5\nwrong = 7\ndef sure(question):\n    return 2\n", "utf-8"
    )
    (tmp_path / "needy.py").write_text("import a_module_of_dice\n", "utf-8")
    described = tmp_path / "coins-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: coins\nVersion: 1\n"
        "Requires-Dist: pytest; extra == 'all'\nRequires-Dist: a-module.of-dice>=1; extra == 'all'\n"
        "Requires-Dist: A_Module-of_Dice>=1; extra == 'dice'\n", "utf-8"
    )
    (described / "entry_points.txt").write_text(
        "[rulelang.judges]\ncoin.fair = coins:fair\ncoin.wrong = coins:wrong\ncoin.gone = coins:gone\n"
        "coin.sure = coins:sure\ndice.needy = needy:model\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry.forget()
    yield
    registry.forget()


def test_the_model_that_comes_with_rulelang():
    assert "physics.stands" in registry.names()
    assert registry.get("physics.stands") is stands


def test_names_are_known_without_importing_a_model():
    script = (
        "import sys\nfrom rulelang.judges import registry\nassert 'physics.stands' in registry.names()\n"
        "assert not {'scipy', 'numpy', 'rulelang.judges.statics'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_unknown_name_is_told_with_those_installed(installed):
    with pytest.raises(KeyError) as told:
        registry.get("physics.stand")
    assert isinstance(told.value, RulelangError)
    assert str(told.value) == (
        "unknown judge `physics.stand`: did you mean `physics.stands`? "
        "installed: coin.fair, coin.gone, coin.sure, coin.wrong, dice.needy, physics.stands"
    )


@pytest.mark.parametrize("name", ["os.path:join", "rulelang.judges.statics:stands", "../models.stands"])
def test_a_path_or_an_import_names_no_model(name):
    with pytest.raises(registry.UnknownJudge):
        registry.get(name)


def test_models_of_other_packages(installed):
    assert chance_of_yes(registry.get("coin.fair"), JudgeQuestion(())) == 0.5
    with pytest.raises(JudgeError, match="it is no function"):
        registry.get("coin.wrong")
    with pytest.raises(JudgeError, match="cannot be loaded from `coins:gone`"):
        registry.get("coin.gone")
    with pytest.raises(JudgeError, match="a chance from 0 to 1, not with 2"):
        chance_of_yes(registry.get("coin.sure"), JudgeQuestion(()))


def test_what_a_model_needs_is_told_with_the_smallest_extra_that_brings_it(installed):
    with pytest.raises(JudgeError, match=r"a_module_of_dice, which is not installed: pip install 'coins\[dice\]'$"):
        registry.get("dice.needy")


@pytest.mark.parametrize("module", ["scipy", "numpy"])
def test_physics_without_its_extra(module):
    script = (
        f"import sys\nsys.modules['{module}'] = None\nfrom rulelang.judges import registry\n"
        "try:\n    registry.get('physics.stands')\nexcept registry.JudgeError as told:\n    print(told)"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert f"needs {module}" in told and "pip install 'rulelang[physics]'" in told


NOTHING = Tower().layers


@pytest.mark.parametrize(
    ("args", "board", "words"),
    [
        ((*NOTHING, 100), grid(3, 3), "a lattice"),
        ((*NOTHING, 100), None, "a lattice"),
        (NOTHING, BOARD, "not 2 values"),
        ((NOTHING[0], (False,), 100), BOARD, "balance cubes as a layer"),
        ((3, NOTHING[1], 100), BOARD, "pieces as a layer"),
        ((*NOTHING, 101), BOARD, "from 0 to 100"),
        ((*NOTHING, True), BOARD, "from 0 to 100"),
    ],
)
def test_what_physics_cannot_be_asked(args, board, words):
    with pytest.raises(JudgeError, match=words):
        stands(JudgeQuestion(args, board))


RULES = """
rulelang: 1
game: Heap
players: 2
board: {lattice: 2x2x4}
state:
  stone[c of Cell]: switch
phases:
  play:
    actions: [put]
actions:
  put: |
    choose c in Cell where not stone[c]
    do:
      stone[c] := on
      judge stands by MODEL(stone) "Does it stand?"
      if not stands: lose me
      if every b in Cell has stone[b]: tie
      next player
"""


@pytest.mark.parametrize(("model", "hint"), [
    ("physics.stands", None),
    ("physics.stand", "did you mean `physics.stands`? installed: "),
    ("weather.storm", "installed: "),
])
def test_the_checker_knows_which_models_there_are(tmp_path, model, hint):
    path = tmp_path / "heap.rules"
    path.write_text(RULES.replace("MODEL", model), "utf-8")
    found = [d for d in check(path) if d.severity == "error"]
    if hint is None:
        assert not found
    else:
        assert [(d.code, d.message) for d in found] == [("unknown-judge", f"unknown judge `{model}`")]
        assert found[0].hint.startswith(hint) and "physics.stands" in found[0].hint
