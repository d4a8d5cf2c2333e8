/* Bytes are counted and travel in a wider field. */
/* expect --process P: violated grows c 1 */
chan c = [8] of { int };

active proctype P() {
  byte s, e;
  do
  :: c!s -> s++; c!s; s++; c?eval(e); e++
  od
}
