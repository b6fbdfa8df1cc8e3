"""A duel as a tree of values: the same games as the referee's, and the parameters that its rules become."""

from __future__ import annotations

import pickle
from copy import deepcopy
from random import Random

import pytest

from duelbook.core import BOTH, LUCK, OVER, BadRules, IllegalMove, Knob, settings, variant
from duelbook.envs.parameters import parameters, settings_of
from duelbook.envs.tree import Tree
from duelbook.match import Match
from envs_helper import EVERY, SMALL, duel


@pytest.mark.parametrize("bell", [3, 40])
@pytest.mark.parametrize("name", EVERY)
def test_it_plays_the_referees_games(name: str, bell: int) -> None:
    """Step by step: who acts, the position, the turns, and who has won."""
    game = duel(name)
    rules = variant(game, SMALL[name])
    tree, rng, rung, won = Tree(game, rules, bell), Random(1), 0, 0
    for _ in range(40):
        match, node, actions = Match(game, rules, max_turns=bell), tree.root, list[int]()
        while match.outcome is None:
            assert (node.state, node.turns, node.turn) == (match.state, match.turns, match.turn)
            if node.turn == LUCK:
                chances = tree.chances(node)
                assert sum(share for _, share in chances) == pytest.approx(1)
                place = rng.choice(chances)[0]
                match.deal(game.faces[place])
                node = tree.deal(node, place)
                actions.append(place)
                continue
            picks = [rng.choice(tree.legal(node, seat)) for seat in match.to_act()]
            actions += picks
            for seat, move in zip(match.to_act(), picks, strict=True):
                match.play(seat, move)
            node = tree.reveal(node, *picks) if node.turn == BOTH else tree.play(node, *picks)
        assert (node.state, node.turns, node.turn) == (match.state, match.turns, OVER)
        assert node.paid == {None: 0, 0: 1, 1: -1, 2: 0}[match.outcome.winner]
        assert list(tree.walk(actions)) == match.steps
        assert tree.legal(node, 0) == tree.legal(node, 1) == []
        rung, won = rung + (match.outcome.kind == "bell"), won + abs(node.paid)
    assert rung if bell == 3 else won


def test_a_node_is_its_own_copy_and_can_be_written_down() -> None:
    node = Tree(duel("deck"), duel("deck").book).root
    assert deepcopy(node) is node
    assert pickle.loads(pickle.dumps(node)) == node


def test_the_turns_belong_to_a_position_only_where_a_bell_will_ring() -> None:
    game = duel("tower")
    with_bell, without = Tree(game, game.book, 10), Tree(game, game.book)
    assert with_bell.text(with_bell.play(with_bell.root, 2)) == "4 0 2 after 1"
    assert without.text(without.play(without.root, 2)) == "4 0 2"


def test_what_cannot_happen_is_refused_in_a_sentence() -> None:
    tower, deck, secret = (Tree(duel(name), duel(name).book) for name in ("tower", "deck", "secret"))
    with pytest.raises(IllegalMove, match="You cannot attack"):
        tower.play(tower.root, 3)
    with pytest.raises(IllegalMove, match="has the moves 0 to 3; 4 is none"):
        tower.play(tower.root, 4)
    drawn = deck.play(deck.deal(deck.root, 6), 1)
    with pytest.raises(IllegalMove, match="A 7 cannot be drawn now: it is not in the deck"):
        deck.deal(drawn, 6)
    with pytest.raises(IllegalMove, match="There are 10 cards"):
        deck.deal(drawn, 10)
    with pytest.raises(IllegalMove):
        secret.reveal(secret.reveal(secret.root, 4, 6), 4, 5)  # a repeat is a foul, and no legal action


# The parameters that rules become


def test_every_rule_is_a_parameter_of_a_kind_that_openspiel_knows() -> None:
    assert parameters(duel("tower")) == {"goal": 15, "builds": "1/2/4", "knocked": 3, "max_turns": 200}
    assert parameters(duel("conquer"))["covered_heal"] is True
    assert parameters(duel("energy"))["zero"] == "turn"


@pytest.mark.parametrize("name", EVERY)
def test_parameters_are_read_back_as_the_rules_they_stand_for(name: str) -> None:
    game = duel(name)
    assert settings(game, variant(game, settings_of(game, parameters(game)))) == []
    for rule, knob in game.knobs.items():
        other = knob.another(getattr(game.book, rule))
        given = {"false": False, "true": True}.get(other, other.replace(",", "/"))
        assert settings(game, variant(game, settings_of(game, {rule: given}))) == [f"{rule}={other}"]


def test_several_numbers_are_not_separated_by_commas() -> None:
    with pytest.raises(BadRules, match="write builds=1/2/5"):
        settings_of(duel("tower"), {"builds": "1,2,5"})


def test_a_rule_that_is_called_as_the_bell_is_gets_another_name() -> None:
    race = duel("race")
    named = race._replace(knobs={"max_turns": Knob("how long", 1, 9)}, book=variant(race, []))
    assert settings_of(named, {"max_turns": 7}) == []
    assert settings_of(named, {"rule_max_turns": 7, "max_turns": 8}) == ["max_turns=7"]
