// bench/programs/buffer.c with two producers and two consumers: one statement for
// each operation on the mutex and the conditions and each access. A wait is two:
// giving the mutex back, and getting it again after it was woken, or for no reason.
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef ROOM
#define ROOM 2
#endif
#define FILLED 1
#define EMPTIED 2
#define THREADS 4

bit mutex;
byte waits[THREADS];
byte used;
bit ended[THREADS];

inline lock() { atomic { !mutex -> mutex = 1 } }

// A thread that starts comes as far as the lock even if that is taken.
inline start() {
    if
    :: atomic { !mutex -> mutex = 1 } -> goto check
    :: else
    fi
}

inline wait_for(what) {
    d_step { mutex = 0; waits[me] = what };
    do
    :: d_step { waits[me] -> waits[me] = 0 }
    :: d_step { !waits[me] && !mutex -> mutex = 1 } -> break
    od
}

inline signal(what) {
    if
    :: d_step { waits[0] == what -> waits[0] = 0 }
    :: d_step { waits[1] == what -> waits[1] = 0 }
    :: d_step { waits[2] == what -> waits[2] = 0 }
    :: d_step { waits[3] == what -> waits[3] = 0 }
    :: else
    fi
}

proctype produce(byte me) {
    byte i, t;
    start();
again:
    lock();
check:
    if
    :: used == ROOM -> wait_for(EMPTIED); goto check
    :: else
    fi;
    t = used;
    d_step { used = t + 1; t = 0 };
    signal(FILLED);
    if
    :: d_step { i < ITEMS - 1 -> mutex = 0; i++ } -> goto again
    :: d_step { i == ITEMS - 1 -> mutex = 0; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

proctype consume(byte me) {
    byte i, t;
    start();
again:
    lock();
check:
    if
    :: used == 0 -> wait_for(FILLED); goto check
    :: else
    fi;
    assert(used > 0);
    assert(used <= ROOM);
    t = used;
    d_step { used = t - 1; t = 0 };
    signal(EMPTIED);
    if
    :: d_step { i < ITEMS - 1 -> mutex = 0; i++ } -> goto again
    :: d_step { i == ITEMS - 1 -> mutex = 0; i = 0; ended[me] = 1 }
    fi;
end:
    false
}

init {
    run produce(0);
    run produce(1);
    run consume(2);
    run consume(3);
    ended[0];
    ended[1];
    ended[2];
    ended[3]
}
