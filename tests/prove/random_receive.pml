/* What a random receive takes from a channel that grows is not known here. */
/* expect: inconclusive --max-states 1000 */
chan c = [4] of { byte };

active proctype P() {
  do
  :: c!0; c!1; c??1
  od
}
