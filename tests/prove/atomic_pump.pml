/* Two messages at a time, one of which is taken. */
/* expect: violated grows c 2 */
/* expect --process Q: violated grows c any */
chan c = [4] of { byte };

active proctype P() {
  do
  :: atomic { c!1; c!1 }
  od
}

active proctype Q() {
  do
  :: c?1
  od
}
