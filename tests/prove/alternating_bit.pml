/* The alternating bit protocol without a bound on retransmission. */
/* expect: violated grows any 1 */
/* expect --process Receiver: violated grows any 1 */
mtype = { msg, ack };
chan to_r = [4] of { mtype, bit };
chan to_s = [4] of { mtype, bit };

active proctype Sender() {
  bit b;
  do
  :: to_r!msg(b)
  :: to_s?ack(eval(b)) -> b = 1 - b
  :: to_s?ack(eval(1 - b))
  od
}

active proctype Receiver() {
  bit expected, got;
  do
  :: to_r?msg(got) ->
     to_s!ack(got);
     if
     :: got == expected -> expected = 1 - expected
     :: else
     fi
  od
}
