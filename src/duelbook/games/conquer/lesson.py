"""A first game of Command Line Conquer: look at what their next attack would do before you act."""

from duelbook.core import Lesson, Task

LESSON = Lesson(
    idea="Before you act, look at what their next attack would do: 2 as a rule, 4 while you are healing in the open, "
    "nothing while you defend.",
    position="2r 3r 1",
    tasks=(
        Task(
            "You have 2 HP, they have 3. Attack, and they are left with 1 and take your last 2. Heal in the open, and "
            "their attack does 4. What lets you live?",
            "defend",
            "Whatever they do, it does not hurt you.",
            "attack",
        ),
        Task(
            "Blocked. After a Defend you cannot attack, but a heal straight after your own Defend is covered: an "
            "attack does only the ordinary 2. So this is the moment to get 1 HP back.",
            "heal",
            "3 HP, and their next attack cannot end it.",
            "heal",
            ("defend",),
        ),
        Task(
            "They heal in the open, without a Defend before it: 4 HP, and for this turn an attack does 4.",
            "attack",
            "Double damage, exactly enough.",
        ),
    ),
)
