/* Flow control by credits: at most three messages are under way. The state
   comes back to itself, and nothing grows. */
/* expect: violated grows nothing */
/* expect --grow: holds */
/* expect --grow data: holds */
byte credits = 3;
chan data = [8] of { byte };

active proctype Sender() {
  do
  :: credits > 0 -> credits--; data!7
  od
}

active proctype Receiver() {
  do
  :: data?7 -> credits++
  od
}
