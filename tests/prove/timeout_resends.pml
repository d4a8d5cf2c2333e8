/* Sends again when nothing else can happen; the medium loses everything. The
   channel is empty again before each timeout. */
/* expect: violated grows nothing */
/* expect --grow: holds */
chan c = [4] of { byte };

active proctype Sender() {
  do
  :: timeout -> c!1
  od
}

active proctype Medium() {
  do
  :: c?1
  od
}
