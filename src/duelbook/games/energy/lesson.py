"""A first game of Energy Duel: an attack into a standing defense costs more than it takes."""

from duelbook.core import Lesson, Task

LESSON = Lesson(
    idea="An attack costs 2. It takes 3, but only 1 through a standing defense: make them strike your defense, and "
    "strike when they have none.",
    position="5 4d 1",
    tasks=(
        Task(
            "You have 5 energy, they have 4, and their defense stands. An attack now would cost you 2 and take only 1. "
            "What costs 1 and spoils their next attack?",
            "defend",
            "Their defense is gone, unused, and yours stands.",
            "defend",
        ),
        Task(
            "They defend as well: you have 4, they have 3. It is the same as before, one step lower.",
            "defend",
            "Patience: now they must pay for another defense or strike yours.",
            "attack",
        ),
        Task(
            "Their attack cost them 2 and took only 1 from you: you have 2, they have 1, and no defense stands. "
            "An attack costs all you have, but it leaves them with nothing, and then the attacker wins.",
            "attack",
            "Your last 2 units were enough.",
        ),
    ),
)
