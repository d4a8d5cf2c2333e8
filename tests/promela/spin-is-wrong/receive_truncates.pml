/* SPIN puts a received value back as the variable holds it: the verifier
 * then finds a 0 in the channel that nobody sent. */
chan c = [1] of { byte };
byte got;

active proctype sender() { c!2 }
active proctype receiver() { c?got; assert(got == 2) }
active proctype narrow() { bit z; c?z }
