/* Runs for a thousand rounds. */
/* expect: holds */
chan c = [4] of { byte };

active proctype P() {
  int i;
  do
  :: i < 1000 -> i++; c!1
  od
}
