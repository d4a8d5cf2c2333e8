// Strings: words made of letters, hashed byte by byte and counted in an open hash table.
#include <stdio.h>

#ifndef WORDS
#define WORDS 120000
#endif
#define SLOTS 4096
#define LETTERS 4

static char keys[SLOTS][LETTERS + 1];
static unsigned counts[SLOTS];

static void spell(char *word, unsigned number) {
    for (int i = 0; i < LETTERS; i++) {
        word[i] = 'a' + number % 7;
        number /= 7;
    }
    word[LETTERS] = 0;
}

static unsigned hash(const char *word) {
    unsigned h = 2166136261u;
    for (; *word; word++)
        h = (h ^ (unsigned char)*word) * 16777619u;
    return h;
}

static int same(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static void copy(char *to, const char *from) {
    while ((*to++ = *from++))
        ;
}

int main(void) {
    unsigned seed = 1;
    char word[LETTERS + 1];
    for (int i = 0; i < WORDS; i++) {
        seed = seed * 1664525u + 1013904223u;
        spell(word, seed >> 8);
        unsigned slot = hash(word) % SLOTS;
        while (keys[slot][0] && !same(keys[slot], word))
            slot = (slot + 1) % SLOTS;
        if (!keys[slot][0])
            copy(keys[slot], word);
        counts[slot]++;
    }
    unsigned sum = 0;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        sum = sum * 31 + counts[slot] * hash(keys[slot]);
    printf("%u\n", sum);
}
