/* A loop that ends. */
/* expect: holds */
/* expect --grow i: holds */
active proctype P() {
  int i;
  do
  :: i < 10 -> i++
  :: else -> break
  od
}
