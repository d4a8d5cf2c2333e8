/* Three messages, and everybody goes home. */
/* expect: holds */
chan c = [2] of { byte };

active proctype A() {
  byte i;
  for (i : 1 .. 3) { c!i }
}

active proctype B() {
  byte i, x;
  for (i : 1 .. 3) { c?x }
}
