/* The growing channel is also read: every field keeps what the guards need. */
/* expect --process Reader: violated grows c 1 */
mtype = { data };
chan c = [4] of { mtype, byte };

active proctype Writer() {
  byte n = 5;
  do
  :: c!data(n) -> n = n + 1; c!data(n)
  od
}

active proctype Reader() {
  byte x;
  do
  :: c?data(x) -> x < 256
  od
}
