/* Logs as long as there is nothing to read. */
/* expect: violated grows log 1 */
chan q = [2] of { byte };
chan log = [2] of { byte };

active proctype P() {
  byte x;
  do
  :: q?x -> break
  :: else -> log!1
  od
}
