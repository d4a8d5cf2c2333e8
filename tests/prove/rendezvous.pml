/* A handshake in each round, and a log of it. */
/* expect: violated grows log 1 */
/* expect --process Q: violated grows log 1 */
chan r = [0] of { byte };
chan log = [2] of { byte };

active proctype P() {
  do
  :: r!1 -> log!1
  od
}

active proctype Q() {
  byte x;
  do
  :: r?x
  od
}
