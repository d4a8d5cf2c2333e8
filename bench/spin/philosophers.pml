// bench/programs/philosophers.c, one statement for each lock, unlock and access.
#ifndef SEATS
#define SEATS 4
#endif

#define NEXT ((a + 1) % SEATS)
#define LOW (a < NEXT -> a : NEXT)
#define HIGH (a < NEXT -> NEXT : a)

bit forks[SEATS];
byte eaten[SEATS];
bit ended[SEATS];

proctype dine(byte a) {
    byte t;
    // A thread that starts comes as far as its first lock even if that is taken.
    if
    :: atomic { !forks[LOW] -> forks[LOW] = 1 } -> goto second
    :: else
    fi;
    d_step { !forks[LOW] -> forks[LOW] = 1 };
second:
    atomic { !forks[HIGH] -> forks[HIGH] = 1 };
    t = eaten[a];
    d_step { eaten[a] = t + 1; t = 0 };
    forks[HIGH] = 0;
    d_step { forks[LOW] = 0; ended[a] = 1 };
end:
    false
}

init {
    byte i;
    do
    :: atomic { i < SEATS - 1 -> run dine(i); i++ }
    :: atomic { i == SEATS - 1 -> run dine(i); i = 0 } -> break
    od;
    do
    :: d_step { i < SEATS - 1 && ended[i] -> i++ }
    :: i == SEATS - 1 && ended[i] -> break
    od
}
