// bench/programs/semaphores.c, one statement for each operation on the semaphore and
// the counter.
#ifndef THREADS
#define THREADS 3
#endif
#ifndef PLACES
#define PLACES 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

byte places = PLACES, used;
bit ended[THREADS];

proctype work(byte me) {
    byte i;
    // A thread that starts comes as far as its first wait even if that is blocked.
    if
    :: atomic { places > 0 -> places-- } -> goto in
    :: else
    fi;
again:
    atomic { places > 0 -> places-- };
in:
    atomic { assert(used < PLACES); used++ };
    used--;
    if
    :: d_step { i < ROUNDS - 1 -> places++; i++ } -> goto again
    :: d_step { i == ROUNDS - 1 -> places++; i = 0; ended[me] = 1 }
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
