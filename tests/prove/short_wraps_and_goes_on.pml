/* What the short does is of no importance: it wraps around, and the run goes on. */
/* expect: violated grows c 1 */
chan c = [4] of { byte };

active proctype P() {
  short s;
  do
  :: s++; c!1
  od
}
