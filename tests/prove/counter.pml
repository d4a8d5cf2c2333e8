/* The counter of section 3.2 of Kuntz, Leue and Scheben, "Extending Non-Termination Proof Techniques to Asynchronously Communicating Concurrent Programs". */
/* expect: violated grows nothing */
/* expect --grow: violated grows P:i 1 */
active proctype P() {
  int i = 0;
  do
  :: i++
  od
}
