// bench/programs/readers_writers.c, one statement for each operation on the lock and
// each access.
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define THREADS (READERS + WRITERS)

byte reading;
bit writing;
byte first, second;
bit ended[THREADS];

proctype reader(byte me) {
    byte i, t;
    // A thread that starts comes as far as the lock even if that is taken.
    if
    :: atomic { !writing -> reading++ } -> goto in
    :: else
    fi;
again:
    atomic { !writing -> reading++ };
in:
    t = first;
    d_step { assert(second == t); t = 0 };
    if
    :: d_step { i < ROUNDS - 1 -> reading--; i++ } -> goto again
    :: d_step { i == ROUNDS - 1 -> reading--; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

proctype writer(byte me) {
    byte i, t;
    if
    :: atomic { !writing && !reading -> writing = 1 } -> goto in
    :: else
    fi;
again:
    atomic { !writing && !reading -> writing = 1 };
in:
    t = first;
    d_step { first = t + 1; t = 0 };
    t = second;
    d_step { second = t + 1; t = 0 };
    if
    :: d_step { i < ROUNDS - 1 -> writing = 0; i++ } -> goto again
    :: d_step { i == ROUNDS - 1 -> writing = 0; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

init {
    byte i;
    do
    :: atomic { i < READERS -> run reader(i); i++ }
    :: atomic { i >= READERS && i < THREADS - 1 -> run writer(i); i++ }
    :: atomic { i == THREADS - 1 -> run writer(i); i = 0 } -> break
    od;
    do
    :: d_step { i < THREADS - 1 && ended[i] -> i++ }
    :: i == THREADS - 1 && ended[i] -> break
    od
}
