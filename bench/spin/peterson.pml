// bench/programs/peterson.c, one statement for each access to shared memory.
#ifndef ROUNDS
#define ROUNDS 4
#endif

bit wants[2];
byte turn, inside;
bit ended[2];

proctype enter(byte me) {
    byte i, t;
again:
    wants[me] = 1;
    turn = 1 - me;
wait:
    if
    :: !wants[1 - me] -> goto in
    :: else
    fi;
    if
    :: turn != 1 - me -> goto in
    :: else -> goto wait
    fi;
in:
    t = inside;
    d_step { inside = t + 1; t = 0 };
    assert(inside == 1);
    t = inside;
    d_step { inside = t - 1; t = 0 };
    if
    :: d_step { i < ROUNDS - 1 -> wants[me] = 0; i++ } -> goto again
    :: d_step { i == ROUNDS - 1 -> wants[me] = 0; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

init {
    run enter(0);
    run enter(1);
    ended[0];
    ended[1]
}
