"""The passes that win speed, each with a switch, so that what it wins can be measured."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Passes:
    """Which passes are on.

    layers: variables with few values as sets, one a value (`storage`) · masks: conditions over a set as algebra on
    sets (`masks`) · common: what was computed before is not
    computed again, and what does not change is taken out of loops · families: patterns over many alike sets as shifts
    (`families`) · preimages: `some d in step(c, …) has …` as one move of a whole set (`masks`) · slides: from where a slide comes to something, for all cells at once (`slides`) · sights: to which cells the way is open, for all goals at once (`sights`) · closures: what groups touch, for all groups in one flood (`closures`) · pairs: from a cell to one near it, for all cells at once (`pairs`) · kinds: the same where the way depends on what stands there (`kinds`) · parts: choices of several are counted, not listed (`actions`) · tails: choices that hang on an earlier one by a property with few values are listed once for each (`tails`) · ahead: what a loop does not change is asked for before it, if later choices need it (`ahead`) · draws: a playout
    draws candidates until one is legal, where listing all legal moves would cost more (`playouts`) · conserved:
    components that no rule can lose are not counted after each move (`material`) · singles: bags that can hold one of
    each at most are sets (`singles`) · bounds: where numbers are above a bound, as sets that are kept (`bounds`) · ways: chains
    are counted with fewer steps than they have (`ways`).
    """

    layers: bool = True
    masks: bool = True
    common: bool = True
    families: bool = True
    preimages: bool = True
    slides: bool = True
    sights: bool = True
    closures: bool = True
    pairs: bool = True
    kinds: bool = True
    parts: bool = True
    tails: bool = True
    ahead: bool = True
    draws: bool = True
    conserved: bool = True
    singles: bool = True
    bounds: bool = True
    ways: bool = True

    def without(self, name: str) -> Passes:
        """The same with one pass off."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values[name] = False
        return Passes(**values)


ALL = Passes()
