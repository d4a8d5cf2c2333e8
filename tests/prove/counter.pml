/* The counter of section 3.2 of paper 002. */
/* expect: violated grows nothing */
/* expect --grow: violated grows P:i 1 */
active proctype P() {
  int i = 0;
  do
  :: i++
  od
}
