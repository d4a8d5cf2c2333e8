/* One channel grows by one, the other by two. */
/* expect --grow a: violated grows a 1 */
/* expect --grow b: violated grows b 2 */
chan a = [2] of { byte };
chan b = [2] of { byte };

active proctype P() {
  do
  :: a!1; b!1; b!2
  od
}
