/* Two counters keep their distance. */
/* expect --grow c: violated grows c 1 */
chan c = [2] of { byte };

active proctype P() {
  int x = 3;
  int y = 1;
  do
  :: x > y -> x++; y++; c!1
  od
}
