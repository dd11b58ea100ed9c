"""The package as a Python user meets it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulelang

ROOT = Path(__file__).parents[2]


def test_everything_that_is_offered_is_there() -> None:
    assert set(rulelang.__all__) <= set(dir(rulelang))
    for name in rulelang.__all__:
        assert getattr(rulelang, name) is not None
    with pytest.raises(AttributeError):
        rulelang.nothing_of_this_name  # noqa: B018


def test_importing_loads_nothing_heavy() -> None:
    code = ("import sys, rulelang; print(sorted(set(sys.modules) & {'yaml', 'lark', 'networkx', 'rich', 'scipy',"
            " 'rulelang.loading', 'rulelang.engine'}))")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_readme_plays() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0].replace("rules/kakuzu", str(ROOT / "rules" / "kakuzu"))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("((")


def test_the_house_rule_of_the_readme_holds_together(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rules = text.split("```yaml\n")[1].split("```")[0]
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "kakuzu.rules").write_text((ROOT / "rules" / "kakuzu.rules").read_text(encoding="utf-8"),
                                                     encoding="utf-8")
    (tmp_path / "mercy.rules").write_text(rules, encoding="utf-8")
    assert rulelang.check(tmp_path / "mercy.rules") == ()


def test_a_second_check_of_a_file_loads_no_parser(tmp_path: Path) -> None:
    code = ("import sys, rulelang; assert rulelang.check(sys.argv[1]) == (); print('lark' in sys.modules, "
            "'networkx' in sys.modules)")
    said = [subprocess.run([sys.executable, "-c", code, str(ROOT / "rules" / "kakuzu.rules")], capture_output=True,
                           text=True, check=True, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}).stdout.split()
            for _ in range(2)]
    assert said[1] == ["False", "False"]
