"""Every position of a duel with luck and where it leads, walked from the rule functions, plain or compiled.

A node leads on through branches, of which luck chooses one by weight. At the end of a branch a seat chooses among the
targets: so a position at which a card has come is no node of its own where nothing but a card leads to it, and of
millions of positions a few hundred thousand are left. From a node at which a seat decides there is one branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.core import LUCK, OVER, Game, SomeRules
from duelbook.positions.every_position import set_up_adder, walk_everywhere
from duelbook.positions.layout import Layout
from duelbook.positions.machine import Machine
from duelbook.positions.numbers import longer, room_for_ints, room_for_long_ints, room_for_short_ints, sort_part
from duelbook.positions.walk import Tools

if TYPE_CHECKING:
    from duelbook.positions.numbers import Array


PASSED, WAITING = -1, -2
"""Where a walk keeps the nodes of positions: one that it has passed and that is no node, and one that will be."""


class Branches(NamedTuple):
    layout: Layout
    turns_round: bool
    states: int
    """How many positions there are, those without a node included."""
    numbers: Array
    """Of each node, in the layout."""
    kinds: Array
    """Who acts at a node: a seat, or LUCK."""
    firsts: Array
    """Where the branches of each node start, and behind the last node where all end."""
    starts: Array
    """Where the targets of each node start, and behind the last node where all end."""
    weights: Array
    """How likely luck takes each branch."""
    choosers: Array
    """Who chooses among the targets of a branch: a seat, or LUCK where there is one target and nobody to choose."""
    widths: Array
    """How many targets a branch has."""
    decisions: Array
    """The number of the position at which somebody chooses among them, in the layout."""
    targets: Array
    """2 * node, plus 1 when it is that node's mirror; or an end, -1 - winner."""
    in_pairs: bool
    """Whether all branches are alike: as likely as each other, and the same seat chooses between two targets."""

    @property
    def pairs(self) -> tuple[Array, Array, int]:
        """All that a sweep goes by where all branches are alike: where they start, the targets, and who chooses."""
        return self.firsts, self.targets, int(self.choosers[0])

    @property
    def ways(self) -> tuple[Array, ...]:
        """All that a sweep through the nodes goes by."""
        return self.firsts, self.starts, self.weights, self.choosers, self.widths, self.targets


def explore_branches(game: Game, rules: SomeRules, machine: Machine) -> Branches:
    """The nodes and branches of every position that can come up or be set up."""
    return _explored(game, rules, machine, _walker)


def explore_each(game: Game, rules: SomeRules, machine: Machine) -> Branches:
    """The same with a node for every position: at the end of a branch from luck nobody chooses."""
    return _explored(game, rules, machine, _walker_to_each)


def _explored(game: Game, rules: SomeRules, machine: Machine, walker: Any) -> Branches:
    found, (states, nodes, branches, targets, in_pairs) = walk_everywhere(game, rules, walker, machine)
    return Branches._make((found.layout, found.turns_round, int(states), *nodes, *branches, targets, bool(in_pairs)))


def _walker_to_each(game: Game, tools: Tools, machine: Machine) -> Any:
    return _walker(game, tools, machine, look_ahead=False)


def _walker(game: Game, tools: Tools, machine: Machine, look_ahead: bool = True) -> Any:
    unpack, canonical = tools.unpack, tools.canonical
    turn, legal, apply, winner = tools.rules.turn, tools.rules.legal, tools.rules.apply, tools.rules.winner
    odds, deal = tools.rules.odds, tools.rules.deal
    room, long_room, short_room, more, sort = (
        machine.twin(make) for make in (room_for_ints, room_for_long_ints, room_for_short_ints, longer, sort_part)
    )
    add_set_up = set_up_adder(tools, LUCK, machine)
    moves, faces = len(game.moves), tuple(game.faces)

    def walk(rules, start, node_of):  # type: ignore[no-untyped-def]  # the compiler finds the types
        size = len(node_of)
        numbers, kinds, firsts, starts = room(size), short_room(size), long_room(size + 1), long_room(size + 1)
        weights, choosers, widths, decisions = room(size), short_room(size), short_room(size), room(size)
        targets = room(2 * size)
        at = branch = edge = noted = passed = 0
        # A plain 0 or 1 is a type of its own to the compiler, which would compile twice what is called with these.
        known, count, swept = at + 1, at + 1, at + 0
        numbers[0] = canonical(start)[0]
        node_of[numbers[0]] = 1
        fits, stray, in_pairs = True, start, True
        while fits:
            if at == known:  # all that is one step further than this: in the order of its numbers, which lie together
                for place in range(passed, branch):
                    if decisions[place] >= 0 and node_of[decisions[place]] == 0:
                        node_of[decisions[place]] = PASSED
                # A loop of its own: many places of a large table are on their way from memory at the same time.
                for place in range(noted, edge):
                    number = targets[place] // 2
                    if number >= 0 and (node_of[number] == 0 or node_of[number] == PASSED):
                        numbers[count] = number
                        count += 1
                        node_of[number] = WAITING
                passed, noted = branch, edge
                if at == count:
                    count, swept = add_set_up(rules, node_of, numbers, count, swept)
                    if at == count:
                        break
                if look_ahead:
                    sort(numbers, known, count)
                for node in range(known, count):
                    node_of[numbers[node]] = node + 1
                known = count
            state = unpack(numbers[at])
            kind = turn(rules, state)
            kinds[at], firsts[at], starts[at] = kind, branch, edge
            if branch + len(faces) >= len(weights):
                ample = 2 * (branch + len(faces))
                weights, choosers = more(weights, ample), more(choosers, ample)
                widths, decisions = more(widths, ample), more(decisions, ample)
            for face in range(len(faces) if kind == LUCK else 1):
                found, weight, chooser, decision = state, 1, kind, -1
                if kind == LUCK:
                    weight = odds(rules, state, faces[face])
                    if weight == 0:
                        continue
                    found = deal(rules, state, faces[face])
                    chooser = min(turn(rules, found), LUCK) if look_ahead else LUCK
                if chooser != LUCK:
                    decision = canonical(found)[0]
                    if decision < 0:
                        fits, stray = False, found
                        break
                if edge + moves >= len(targets):
                    targets = more(targets, 2 * (edge + moves))
                weights[branch], choosers[branch], decisions[branch], widths[branch] = weight, chooser, decision, 0
                for move in range(1 if chooser == LUCK else moves):
                    after = found
                    if chooser != LUCK:
                        if not legal(rules, found, chooser, move):
                            continue
                        after = apply(rules, found, move)
                    if turn(rules, after) == OVER:
                        targets[edge] = -1 - winner(rules, after)
                    else:
                        number, turned = canonical(after)
                        if number < 0:
                            fits, stray = False, after
                            break
                        targets[edge] = 2 * number + turned
                    edge += 1
                    widths[branch] += 1
                if widths[branch] != 2 or weight != weights[0] or chooser != choosers[0]:
                    in_pairs = False
                branch += 1
            at += 1
        firsts[at], starts[at] = branch, edge
        for place in range(edge if fits else 0):
            if targets[place] >= 0:
                targets[place] = 2 * (node_of[targets[place] // 2] - 1) + targets[place] % 2
        states = 0
        for place in range(size):
            if node_of[place] != 0:
                states += 1
        nodes = (numbers[:at], kinds[:at], firsts[: at + 1], starts[: at + 1])
        branches = (weights[:branch], choosers[:branch], widths[:branch], decisions[:branch])
        return fits, states, nodes, branches, targets[:edge], in_pairs, stray

    return walk
