/* The guard is kept only because of what the variables were before. */
/* expect --grow c: violated grows c 1 */
chan c = [2] of { byte };

active proctype P() {
  int x = 0;
  int y = 3;
  int z = 2;
  do
  :: x >= 0 -> x = y; y = z; z = z + 1; c!1
  od
}
