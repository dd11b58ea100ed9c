"""Which clauses of a game's rules mattered: counted over its examples and over random games, never by line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.engine import Coverage, Interpreter, Part, PlayFault, State, Stream
from rulelang.loading import Ruleset, load
from rulelang.source.diagnostic import Place, RulesError

_MOST_MOVES = 20_000


@dataclass(slots=True)
class Covered:
    """What was used. `games` were played, `stopped` of them by a fault in the rules, the first of which is `fault`.
    `guessed` are the judges that name no model: their questions were answered yes or no by chance."""

    coverage: Coverage = field(default_factory=Coverage)
    games: int = 0
    stopped: int = 0
    fault: PlayFault | None = None
    guessed: set[str] = field(default_factory=set)

    def rows(self) -> list[tuple[str, Place, dict[str, int]]]:
        """Every part of the rules with its counts, in the order of the file."""
        return [(part.name, part.place, dict(self.coverage.counts[part])) for part in self._parts()]

    def silent(self) -> list[tuple[str, Place, str]]:
        """The parts that one way or the other made no difference: never ran, never held, never failed."""
        found = []
        for name, place, counts in self.rows():
            for outcome in ("ran", "held", "failed"):
                if counts.get(outcome) == 0:
                    # what never came to be asked failed as little as it held: that is told once
                    found.append((name, place, f"never {outcome}"))
                    break
        return found

    def _parts(self) -> list[Part]:
        return sorted(self.coverage.counts)


def random_games(
    rules: Ruleset, covered: Covered, games: int, seed: int, tick: Callable[[int], None] | None = None
) -> None:
    """Play random games and count what they use: with each variant and all of them together in turn, and for each
    number of players."""
    tables = [(one, players) for one in _varied(rules) for players in one.player_counts] if games else []
    made: dict[int, Interpreter] = {}
    for number in range(games):
        at = number % len(tables)
        if at not in made:
            made[at] = Interpreter(tables[at][0].machine(tables[at][1]), covered.coverage)
        try:
            state = made[at].start(seed=seed + number)
            _play_on(state, Stream(seed + number, "coverage"), covered)
        except PlayFault as fault:
            covered.stopped += 1
            covered.fault = covered.fault or fault
        covered.games += 1
        if tick is not None:
            tick(number + 1)


def _varied(rules: Ruleset) -> list[Ruleset]:
    """The game as it is chosen, with each further variant, and with all that go together."""
    further = [name for name, _ in rules.variants if name not in rules.chosen]
    ways = [*((name,) for name in further), *((tuple(further),) if len(further) > 1 else ())]
    found = [rules]
    for names in ways:
        try:
            one = load(rules.path, variants=(*rules.chosen, *names), options=rules.settings)
            for players in one.player_counts:
                one.model(players)
        except RulesError:
            continue                                        # these do not go together
        found.append(one)
    return found


def _play_on(state: State, chance: Stream, covered: Covered) -> None:
    for _ in range(_MOST_MOVES):
        if state.over:
            return
        if state.question is not None:
            if state.question.model is None:
                covered.guessed.add(state.question.name)
                state.answer(chance.below(2) == 1)
            else:
                state.answer_by_model()
        else:
            state.play(chance.choice(state.moves(state.to_act[0])))
        state.check_invariants()
