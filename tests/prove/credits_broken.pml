/* The receiver gives back one credit too many every other time. */
/* expect --grow data: violated grows data 1 */
byte credits = 2;
chan data = [8] of { byte };

active proctype Sender() {
  do
  :: credits > 0 -> credits--; data!7
  od
}

active proctype Receiver() {
  do
  :: data?7 -> credits = credits + 2
  od
}
