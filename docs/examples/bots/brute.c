/* A bot that attacks whenever it may, and otherwise makes any legal move.   cc -O2 -o brute brute.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char line[1 << 16]; /* a piece of a longer line means nothing, and is passed over like one */

static int begins(const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && strchr(" \r\n", line[length]) != NULL;
}

static void answer(char *legal) {
    char *moves[64], *chosen;
    int count = 0;
    for (char *move = strtok(legal, " \r\n"); move != NULL && count < 64; move = strtok(NULL, " \r\n"))
        moves[count++] = move;
    if (count == 0)
        return;
    chosen = moves[rand() % count];
    for (int i = 0; i < count; i++)
        if (strcmp(moves[i], "attack") == 0)
            chosen = moves[i];
    printf("bestmove %s\n", chosen);
}

int main(void) {
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (begins("udi"))
            puts("id name Brute\nid author You\ngame *\nudiok");
        else if (begins("isready"))
            puts("readyok");
        else if (begins("quit"))
            break;
        else if (begins("go") && strstr(line, " legal ") != NULL)
            answer(strstr(line, " legal ") + strlen(" legal "));
        fflush(stdout); /* or the other side waits for ever */
    }
    return 0;
}
