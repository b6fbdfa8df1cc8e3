"""A first game of Number Duel (secret): stay in step, 10 when they cannot have it, 9 when you cannot."""

from duelbook.core import Lesson, Task

LESSON = Lesson(
    idea="Nobody may repeat their last number. Play 10 whenever you may, and 9 when you have just played 10: then no "
    "turn costs you more than 1 HP, and whoever is out of step pays.",
    position="2 2 9 10",
    tasks=(
        Task(
            "Both have 2 HP. You have just played 9, they have just played 10, so they cannot play it again. "
            "Which number can they not even equal?",
            "10",
            "Nothing they may play reaches 10.",
            "9",
        ),
        Task(
            "They have 1 HP left. Now the 10 is forbidden to you, and they may play it. Lose as little as can be: what "
            "is the highest number you may play?",
            "9",
            "Against their 10 it costs you only 1.",
            "10",
        ),
        Task(
            "1 HP each, and again it is they who have just played their 10.",
            "10",
            "The last HP goes to whoever is in step.",
            "9",
        ),
    ),
)
