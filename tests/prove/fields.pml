/* Messages with three fields, of which the receiver checks one and keeps one. */
/* expect: violated grows log 1 */
mtype = { data, log_it };
chan c = [4] of { mtype, byte, int };
chan log = [4] of { byte };

active proctype Sender() {
  int n;
  do
  :: c!data(3, n) -> n++; c?data(3, n); log!3
  od
}
