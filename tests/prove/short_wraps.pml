/* A short becomes negative after 32767 rounds, and then the guard fails. */
/* expect: inconclusive --max-states 5000 */
chan c = [4] of { byte };

active proctype P() {
  short s;
  do
  :: s >= 0 -> s++; c!1
  od
}
