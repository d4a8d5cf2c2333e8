/* A window over counters without bounds. The numbers grow, the channels do
   not; the state space is infinite, so nobody can say so by looking at it. */
/* expect --grow sent: violated grows Sender:sent 1 */
/* expect --grow data: inconclusive --max-states 3000 */
chan data = [8] of { int };
chan acks = [8] of { int };

active proctype Sender() {
  int sent, acked;
  do
  :: sent - acked < 2 -> data!sent; sent++
  :: acks?acked -> acked++
  od
}

active proctype Receiver() {
  int expected;
  do
  :: data?eval(expected) -> acks!expected; expected++
  od
}
