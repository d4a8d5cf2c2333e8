// The `trace` stands in front of all process types, and process 0 sends by rendezvous. SPIN numbers the trace
// with 0, too, takes the step of process 0 for one of the trace, and forgets that a message is under way: nobody
// receives it, and it reports an invalid end state. With the trace behind the process types it agrees with us.
chan c = [0] of { byte };
byte x;

trace { do :: c!1; c?1 :: c!2; c?2 od }

active proctype P() { c!1; c!2 }

active proctype Q() { byte k; end: do :: c?k -> x = k od }
