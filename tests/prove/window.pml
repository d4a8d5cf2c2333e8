/* A window of two messages without retransmission: bounded. */
/* expect: violated grows nothing */
/* expect --grow: holds */
#define W 2
chan data = [8] of { byte };
chan acks = [8] of { byte };

active proctype Sender() {
  byte next, oldest, a;
  do
  :: (next - oldest + 4) % 4 < W -> data!next; next = (next + 1) % 4
  :: acks?a -> oldest = (a + 1) % 4
  od
}

active proctype Receiver() {
  byte expected;
  do
  :: data?eval(expected) -> acks!expected; expected = (expected + 1) % 4
  od
}
