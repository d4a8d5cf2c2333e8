/* Handshakes leave nothing behind. */
/* expect: violated grows nothing */
/* expect --grow: holds */
chan r = [0] of { byte };

active proctype P() {
  do
  :: r!1
  od
}

active proctype Q() {
  do
  :: r?1
  od
}
