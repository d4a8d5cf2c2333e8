/* A producer that nobody slows down. */
/* expect: violated grows c 1 */
/* expect --process Consumer: violated grows c 1 */
chan c = [2] of { byte };

active proctype Producer() {
  do
  :: c!1
  od
}

active proctype Consumer() {
  byte x;
  do
  :: c?x
  od
}
