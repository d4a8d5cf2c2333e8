/* A token goes round: one message for ever. */
/* expect: violated grows nothing */
/* expect --grow: holds */
/* expect --process Node: violated grows nothing */
chan ring[3] = [2] of { bit };

proctype Node(byte me) {
  do
  :: ring[me]?1 -> ring[(me + 1) % 3]!1
  od
}

init {
  atomic { run Node(0); run Node(1); run Node(2) };
  ring[0]!1
}
