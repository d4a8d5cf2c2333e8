/* Takes aa, adds aaab: only later rounds meet the b. */
/* expect: holds */
mtype = { a, b };
chan q = [4] of { mtype };

active proctype P() {
  do
  :: q!a; q!a; q!a; q!b; q?a; q?a
  od
}
