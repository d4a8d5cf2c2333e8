/* A node that sends the token twice. */
/* expect --grow: violated grows any 1 */
chan ring[2] = [2] of { bit };

active proctype First() {
  do
  :: ring[0]?1 -> ring[1]!1
  od
}

active proctype Second() {
  do
  :: ring[1]?1 -> ring[0]!1; ring[0]!1
  od
}

init {
  ring[0]!1
}
