"""Two choices row by row: where there are too many distances to go by them (see `pairs`).

On a board that is a graph, or where a piece may fly, the legal pairs are counted first by first: what is related to it, a
table of sets, and what all seconds must meet, one set. The k-th is found the same way, and nothing is listed. Where the
relation has a way out that speaks of neither choice (`to in neighbours(from) or flies(me)`), the pairs are loose when it
holds: every first with every second, a product.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.model.ir import E
from rulelang.native.emitter import Emitter
from rulelang.native.pairs import Two
from rulelang.native.text import Fn


@dataclass(frozen=True)
class Rows(Two):
    """Such an action by rows: for each seat (one case: for all) the set that is related to each first, and what makes
    the pairs loose."""

    cases: tuple[tuple[int, ...], ...]
    loose: E | None

    def declare(self, x: Emitter, fn: Fn, name: str) -> None:
        """Declare the sets of firsts and seconds, empty."""
        for one in ("firsts", "seconds"):
            fn.line(f"{x.set_type(self.shape)} {name}_{one} = {self.shape.zero};")
        if self.loose is not None:
            fn.line(f"int {name}_loose = 0;")

    def write(self, x: Emitter, fn: Fn, name: str, count: str = "") -> bool:
        """Write the sets and, if it is asked for, how many pairs there are; False if a condition cannot be a set."""
        from rulelang.native.masks import mask
        from rulelang.native.sequences import each_bit

        shape = self.shape
        held = self.begin(x, fn)
        if held is None:
            return False
        goal = shape.const(shape.every)
        for e in self.about_second:
            made = mask(x, fn, e, self.second.slot, self.of)
            if made is None:
                return False
            goal = shape.both(goal, made)
        fn.line(f"{name}_seconds = {goal};")
        fn.line(f"{name}_firsts = {held};")
        if self.loose is not None:
            fn.line(f"{name}_loose = {x.value(fn, self.loose)};")
        if count:
            if self.loose is not None:
                fn.open(f"if ({name}_loose)")
                fn.line(f"{count} = {shape.count(f'{name}_firsts')} * {shape.count(f'{name}_seconds')};")
                fn.close()
                fn.open("else")
            with each_bit(fn, shape, f"{name}_firsts") as first:
                fn.line(f"{count} += {shape.count(self._near(x, fn, name, first))};")
            if self.loose is not None:
                fn.close()
        self.end(fn)
        return True

    def _near(self, x: Emitter, fn: Fn, name: str, first: str) -> str:
        """The seconds of a first, where the pairs are not loose."""
        table = x.static_sets(tuple(near for case in self.cases for near in case), self.shape)
        at = first if len(self.cases) == 1 else f"{fn.me} * {self.shape.size} + {first}"
        return self.shape.both(f"{table}[{at}]", f"{name}_seconds")

    def firsts(self, name: str) -> str:
        """The firsts that may have a second."""
        return f"{name}_firsts"

    def seconds(self, x: Emitter, fn: Fn, name: str, first: str) -> str:
        """Write the set of the seconds of the pairs with a first."""
        near = self._near(x, fn, name, first)
        if self.loose is not None:
            near = self.shape.choose(f"{name}_loose", f"{name}_seconds", near)
        return fn.keep(self.shape.ctype, near, "last")

    def pick(self, x: Emitter, fn: Fn, name: str) -> None:
        """Write the choice of pair `k`, and bind both choices."""
        from rulelang.native.sequences import each_bit

        shape = self.shape
        fn.line("num first UNUSED = 0, second UNUSED = 0;")
        if self.loose is not None:
            fn.open(f"if ({name}_loose)")
            fn.line(f"const int many = {shape.count(f'{name}_seconds')};")
            fn.line(f"first = {shape.nth(f'{name}_firsts', 'k / many')};")
            fn.line(f"second = {shape.nth(f'{name}_seconds', 'k % many')};")
            fn.close()
            fn.open("else")
        with each_bit(fn, shape, f"{name}_firsts") as one:
            near = fn.keep(shape.ctype, self._near(x, fn, name, one))
            fn.line(f"const int many = {shape.count(near)};")
            fn.line(f"if (k < many) {{ first = {one}; second = {shape.nth(near, 'k')}; break; }}")
            fn.line("k -= many;")
        if self.loose is not None:
            fn.close()
        self.bind(fn)
