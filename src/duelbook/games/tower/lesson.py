"""A first game of Tower Defense Duel: stand where they cannot reach the goal and you do, come what may."""

from duelbook.core import Lesson, Task

LESSON = Lesson(
    idea="Only exactly 15 wins. Before you build, see who can reach it with one build of 1, 2 or 4.",
    position="10 11 1",
    tasks=(
        Task(
            "Your tower stands at 10, theirs at 11. They are 4 short of 15: left alone, they build 4 and win. "
            "No build of yours reaches 15 from 10. What can you do about their tower?",
            "attack",
            "They fall to 8, and from there no single build reaches 15.",
            "build 4",
        ),
        Task(
            "They are at 12: 3 short, and nobody can build 3. You have a turn to come close yourself. Stand so high "
            "that even an attack, which takes 3, leaves you within one build of 15.",
            "build 4",
            "At 14 you need 1 more; if they attack, you stand at 11 and need 4. You win next turn either way.",
            "build 2",
        ),
        Task("They are at 14, too, but it is your turn. How many units make exactly 15?", "build 1", "Exactly 15."),
    ),
)
