/* Holds for 32 bits as well: nothing here grows but the channel. */
/* expect: violated grows c any */
chan c = [2] of { byte };

active proctype P() {
  int x = 7;
  do
  :: x > 3 -> x = (x + 5) % 10 + 4; c!1
  od
}
