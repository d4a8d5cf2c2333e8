/* Two numbers are sent in each round and one is taken: the receiver always
   finds the one it expects, because the channel holds all that are between. */
/* expect --process Receiver: violated grows c 1 */
chan c = [8] of { int };

active proctype Sender() {
  int s;
  do
  :: c!s -> s++; c!s; s++
  od
}

active proctype Receiver() {
  int e;
  do
  :: c?eval(e) -> e++
  od
}
