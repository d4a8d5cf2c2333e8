/* Takes a, adds ab: the second round finds b at the front. */
/* expect: holds */
mtype = { a, b };
chan q = [4] of { mtype };

active proctype P() {
  do
  :: q!a; q!b; q?a
  od
}
