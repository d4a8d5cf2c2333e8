/* The guard is kept only because of a relation that is not among the facts
   tried first: it is what the guard says one round earlier. */
/* expect --grow c: violated grows c 1 */
chan c = [2] of { byte };

active proctype P() {
  int x = 5;
  int y = -1;
  int z = 3;
  do
  :: x >= 0 -> x = 2 * y + z; y--; z = z + 2; c!1
  od
}
