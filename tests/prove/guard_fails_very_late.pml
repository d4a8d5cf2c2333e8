/* Runs for longer than anybody looks: must not be reported. */
/* expect: inconclusive --max-states 3000 */
chan c = [4] of { byte };

active proctype P() {
  int i;
  do
  :: i < 100000000 -> i++; c!1
  od
}
