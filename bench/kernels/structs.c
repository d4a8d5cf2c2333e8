// Structures, a switch and calls through pointers: a small stack machine runs a loop.
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 150000
#endif

enum code { PUSH, ADD, MUL, DUP, SWAP, SHRINK, END };
struct instruction {
    enum code code;
    unsigned operand;
};

static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned mul(unsigned a, unsigned b) { return a * b; }
static unsigned (*const arithmetic[])(unsigned, unsigned) = {[ADD] = add, [MUL] = mul};

static struct instruction program[] = {
    {PUSH, 3}, {MUL, 0}, {PUSH, 7}, {ADD, 0}, {DUP, 0},
    {SHRINK, 5}, {SWAP, 0}, {PUSH, 11}, {MUL, 0}, {ADD, 0}, {END, 0},
};

static unsigned run(unsigned start) {
    unsigned stack[8] = {start}, top = 0;
    for (const struct instruction *at = program;; at++)
        switch (at->code) {
        case PUSH:
            stack[++top] = at->operand;
            break;
        case ADD:
        case MUL:
            top--;
            stack[top] = arithmetic[at->code](stack[top], stack[top + 1]);
            break;
        case DUP:
            stack[top + 1] = stack[top];
            top++;
            break;
        case SWAP: {
            unsigned swap = stack[top];
            stack[top] = stack[top - 1];
            stack[top - 1] = swap;
            break;
        }
        case SHRINK:
            stack[top] >>= at->operand;
            break;
        case END:
            return stack[top];
        }
}

int main(void) {
    unsigned value = 1;
    for (int i = 0; i < ROUNDS; i++)
        value = run(value);
    printf("%u\n", value);
}
