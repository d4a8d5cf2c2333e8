/* The same window with retransmission at any time: unbounded. */
/* expect: violated grows data 1 */
#define W 2
chan data = [8] of { byte };
chan acks = [8] of { byte };

active proctype Sender() {
  byte next, oldest, a;
  do
  :: (next - oldest + 4) % 4 < W -> data!next; next = (next + 1) % 4
  :: next != oldest -> data!oldest
  :: acks?a -> oldest = (a + 1) % 4
  od
}

active proctype Receiver() {
  byte x;
  do
  :: data?x -> acks!x
  od
}
