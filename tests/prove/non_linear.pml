/* The guard multiplies. */
/* expect --grow c: violated grows c 1 */
chan c = [2] of { byte };

active proctype P() {
  int x = 1;
  int y = 0;
  do
  :: x * x >= y -> x++; y++; c!1
  od
}
