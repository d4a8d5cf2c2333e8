/* The counter of section 3.2 of paper 002. */
active proctype P() {
  int i = 0;
  do
  :: i++
  od
}
