// bench/programs/ticket.c, one statement for each access to shared memory.
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

byte next, serving, inside;
bit ended[THREADS];

proctype work(byte me) {
    byte i, t;
again:
    atomic { t = next; next++ };
wait:
    if
    :: d_step { serving == t -> t = 0 }
    :: else -> goto wait
    fi;
    t = inside;
    d_step { inside = t + 1; t = 0 };
    assert(inside == 1);
    t = inside;
    d_step { inside = t - 1; t = 0 };
    if
    :: d_step { i < ROUNDS - 1 -> serving++; i++ } -> goto again
    :: d_step { i == ROUNDS - 1 -> serving++; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

init {
    byte i;
    do
    :: atomic { i < THREADS - 1 -> run work(i); i++ }
    :: atomic { i == THREADS - 1 -> run work(i); i = 0 } -> break
    od;
    do
    :: d_step { i < THREADS - 1 && ended[i] -> i++ }
    :: i == THREADS - 1 && ended[i] -> break
    od
}
