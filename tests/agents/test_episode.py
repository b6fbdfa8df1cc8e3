"""An episode: one agent against a player of ours, by the rules, with what every decision lost."""

from __future__ import annotations

import pytest

from duelbook import Duel, reads, review
from duelbook.agents.episode import MOST_FAULTS, Episode
from duelbook.core import DuelError
from slow_helper import one_of_each_kind


def finished(episode: Episode) -> list[float | None]:
    """What was lost by whoever always plays the first legal move."""
    lost = []
    while not episode.over:
        assert episode.act(episode.legal()[0]) == ""
        lost.append(episode.lost)
    return lost


@pytest.mark.parametrize("id", one_of_each_kind())
def test_an_episode_is_a_game_and_its_losses_are_those_of_a_review(id: str) -> None:
    episode = Episode(id, "random", player=2, seed=5)
    lost = finished(episode)
    (record,) = reads(episode.record())
    assert record.match.outcome == episode.match.outcome
    assert lost == [each.lost for each in review(record).decisions if each.seat == 1]


@pytest.mark.parametrize("id", one_of_each_kind())
def test_the_same_seed_gives_the_same_episode(id: str) -> None:
    one, two = (Episode(id, "level:1", seed=11) for _ in range(2))
    assert finished(one) == finished(two)
    assert one.match.steps == two.match.steps


def test_a_reward_is_one_for_a_win_and_nothing_for_a_loss() -> None:
    won = Episode("tower", "random", position="11 3 1", seed=1)
    won.act("build 4")
    assert (won.over, won.reward) == (True, 1.0)
    lost = Episode("tower", "perfect", position="0 11 1", seed=1)
    lost.act("build 1")
    assert (lost.over, lost.reward) == (True, 0.0)


def test_nobody_has_won_a_game_that_the_bell_ends() -> None:
    episode = Episode("secret", "perfect", seed=1)
    while not episode.over:
        episode.act(Duel("secret").best(episode.match.state, 0)[0])
    assert episode.match.outcome is not None
    assert episode.match.outcome.kind == "bell"
    assert episode.reward == 0.5


def test_an_illegal_move_changes_nothing_until_there_were_too_many() -> None:
    episode = Episode("tower", "perfect", seed=1)
    before = episode.match.state
    for _ in range(MOST_FAULTS):
        assert "You can play: build 1, build 2 or build 4." in episode.act("attack")
        assert (episode.match.state, episode.lost, episode.over) == (before, None, False)
    episode.act("attack")
    assert (episode.over, episode.reward) == (True, 0.0)
    with pytest.raises(DuelError, match="The episode is over"):
        episode.act("build 1")


def test_what_cannot_be_begun_is_refused_in_a_sentence() -> None:
    for given, said in (
        ({"duel": "nope"}, "There is no duel called 'nope'"),
        ({"duel": "tower", "player": 3}, "A player must be a whole number from 1 to 2"),
        ({"duel": "tower", "opponent": "engine:./mybot"}, "cannot be asked from here"),
        ({"duel": "tower", "position": "15 3 1"}, "there is nothing to play"),
        ({"duel": "secret", "rules": ["hp=200"]}, "it is large"),
    ):
        with pytest.raises(DuelError, match=said):
            Episode(**given)
