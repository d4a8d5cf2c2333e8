/* A failed assertion ends a run; that is for `exeunt check` to tell. */
/* expect: inconclusive */
active proctype P() {
  byte x;
  x = 1;
  assert(x == 2);
  do
  :: skip
  od
}
