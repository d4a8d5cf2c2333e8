/* Two messages are always under way, each with the next number: the receiver
   finds the number it expects because of a relation between both sides. */
/* expect --grow s: violated grows P:s 1 */
/* expect --process P: violated grows P:e 1 */
chan c = [8] of { int };

active proctype P() {
  int s, e;
  c!s; s++;
  c!s; s++;
  do
  :: c!s -> s++; c?eval(e); e++
  od
}
