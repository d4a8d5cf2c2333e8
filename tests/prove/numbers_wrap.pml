/* The same with bytes, which wrap around, and a second field. */
/* expect --process P: violated grows c 1 */
mtype = { data };
chan c = [8] of { mtype, byte };

active proctype P() {
  byte s = 7, e = 7;
  do
  :: c!data(s) -> s++; c!data(s); s++; c?data(eval(e)); e++
  od
}
