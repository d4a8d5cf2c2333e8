/* The loop of Figure 4 of Kuntz, Leue and Scheben: takes abab, adds ababab. */
/* expect: violated grows q 2 */
mtype = { a, b, c, d };

chan q = [100] of { mtype };

active proctype loop() {
  int i = 0;
  do
  :: i++;
     q!a; q?a; q!b; q!a; q?b; q!b; q!a; q!b; q?a; q?b
  od
}
