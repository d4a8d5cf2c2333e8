// verdict: holds
// states: 2
// A table of functions that only unused code reads.
int somewhere_else(void);

static int call_it(void) {
    return somewhere_else();
}

int (*const table[])(void) = {call_it};

int unused(int i) {
    return table[i]();
}

int main(void) {
    return 0;
}
