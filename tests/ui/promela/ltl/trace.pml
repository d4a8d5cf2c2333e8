// verdict: violated assertion
// states: 2
// A message that the trace does not allow.
chan c = [2] of { byte };
byte seen;

active proctype A() { c!1; c!2 }
active proctype B() { c!3 } //~ error
active proctype C() { do :: c?seen :: timeout -> break od }

trace { c!1; c!2; c!3 }
