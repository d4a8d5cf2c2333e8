/* A byte comes back to zero: it never ends, and it does not grow. */
/* expect: violated grows nothing */
/* expect --grow b: holds */
active proctype P() {
  byte b;
  do
  :: b++
  od
}
