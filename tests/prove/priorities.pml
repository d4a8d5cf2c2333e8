/* The producer goes before the consumer, so nothing is ever consumed. */
/* expect: violated grows c 1 */
/* expect --process Consumer: inconclusive --max-states 300 */
chan c = [4] of { byte };

active proctype Producer() priority 5 {
  do
  :: c!1
  od
}

active proctype Consumer() {
  byte n;
  do
  :: c?_ -> n++
  od
}
