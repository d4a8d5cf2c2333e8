/* What is asked for is always at the front: the receive is as good as an
   ordinary one. */
/* expect: violated grows c 2 */
/* expect --process Taker: violated grows c 1 */
mtype = { work, stop };
chan c = [4] of { mtype, byte };

active proctype Giver() {
  do
  :: atomic { c!work(1); c!work(1) }
  od
}

active proctype Taker() {
  byte x;
  do
  :: c??work(x) -> assert(x == 1)
  od
}
