// bench/programs/trylock.c, one statement for each operation on a lock, each access,
// and the begin and end of the section.
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

bit locks[2];
byte both;
bit ended[THREADS];

#define ONE (me % 2)
#define OTHER (1 - me % 2)

proctype work(byte me) {
    byte i, t;
    bit open;
begin:
    open = 1;
again:
    atomic { !locks[ONE] -> locks[ONE] = 1 };
    if
    :: d_step { !locks[OTHER] -> locks[OTHER] = 1 }
    :: else -> locks[ONE] = 0; goto again
    fi;
    t = both;
    d_step { both = t + 1; t = 0 };
    locks[OTHER] = 0;
    locks[ONE] = 0;
    if
    :: d_step { i < ROUNDS - 1 -> open = 0; i++ } -> goto begin
    :: d_step { i == ROUNDS - 1 -> open = 0; i = 0; ended[me] = 1 }
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
