"""A first game of Number Duel (deck): count the cards that are left."""

from duelbook.core import Lesson, Task

LESSON = Lesson(
    idea="The discard is open, so you know which cards are left. Count how many of them would end the game, for you "
    "and for them, and choose what changes that.",
    position="2 10 1 1-3,10:5",
    tasks=(
        Task(
            "You have 2 LP, they have 10, and you drew a 5. The cards left are 1, 2, 3 and 10: at 2 LP three of these "
            "four would finish you. At 4 LP only the 10 would.",
            "heal",
            "From three cards to one.",
            "attack",
        ),
        Task(
            "They drew the 1 and attacked: you have 3 LP, they have 10. You drew a 3. Only the 2 and the 10 are left. "
            "If they draw the 10, it is over either way; if they draw the 2, the 10 is yours. Bring them so low that "
            "it is enough even after they heal.",
            "attack",
            "7 LP, or 8 if they heal with the 2: the 10 is enough for both.",
            "heal",
        ),
        Task("They drew the 2 and healed to 8. You drew the 10.", "attack", "You counted, and it was enough."),
    ),
    luck=(1, 3, 2, 10),
)
