/* The number that is expected wraps around before those that are sent do: it
   goes well for 32768 rounds. */
/* expect --process P: inconclusive --max-states 30 */
chan c = [8] of { int };

active proctype P() {
  int s;
  short e;
  do
  :: c!s -> s++; c!s; s++; c?eval(e); e++
  od
}
