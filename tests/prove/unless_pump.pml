/* Sends until it is stopped, and nobody stops it. */
/* expect: violated grows c 1 */
chan c = [2] of { byte };
chan stop = [2] of { byte };

active proctype P() {
  do
  :: c!1
  od unless { stop?1 }
}
