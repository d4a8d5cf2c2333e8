/* Two kinds of messages take turns, each with numbers of its own. */
/* expect --grow c: violated grows c 2 */
mtype = { up, down };
chan c = [8] of { mtype, int };

active proctype P() {
  int u, d, eu, ed;
  do
  :: c!up(u) -> u++; c!down(d); d--; c!up(u); u++; c!down(d); d--;
     c?up(eval(eu)); eu++; c?down(eval(ed)); ed--
  od
}
