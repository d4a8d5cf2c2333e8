// bench/programs/treiber.c, one statement for each access to shared memory. Nodes are
// numbered from 1; 0 is no node. `first` and `t` stand for the temporaries that the
// compiler makes for atomic operations, and which last as long as the function.
#ifndef THREADS
#define THREADS 3
#endif

byte top;
byte after[THREADS + 1];
bit ended[THREADS];

#define NODE (me + 1)

proctype use(byte me) {
    byte seen, first, t;
    d_step { seen = top; first = seen };
again:
    after[NODE] = seen;
    if
    :: d_step { top == seen -> top = NODE; seen = 0; first = 0 }
    :: d_step { top != seen -> seen = top } -> goto again
    fi;
    d_step { seen = top; first = seen; assert(seen) };
pop:
    t = after[seen];
    if
    :: d_step { top == seen -> top = t; seen = 0; first = 0; t = 0; ended[me] = 1 }
    :: d_step { top != seen -> seen = top; assert(seen) } -> goto pop
    fi;
end:
    false
}

init {
    byte i;
    do
    :: atomic { i < THREADS - 1 -> run use(i); i++ }
    :: atomic { i == THREADS - 1 -> run use(i); i = 0 } -> break
    od;
    do
    :: d_step { i < THREADS - 1 && ended[i] -> i++ }
    :: d_step { i == THREADS - 1 && ended[i] -> assert(!top) } -> break
    od
}
