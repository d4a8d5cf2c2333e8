/* An even number stays even. */
/* expect: violated grows c 1 */
chan c = [2] of { byte };

active proctype P() {
  int i;
  do
  :: i % 2 == 0 -> i = i + 2; c!1
  od
}
