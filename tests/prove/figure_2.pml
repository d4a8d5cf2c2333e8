/* Figure 2 of Kuntz, Leue and Scheben: f21 grows by three messages in each round. */
/* expect: violated grows f21 3 */
/* expect --grow i: violated grows P1:i 1 */
/* expect --process P2: violated grows f21 3 */
mtype = { a, b, c, d };

chan f12 = [100] of { mtype };
chan f21 = [100] of { mtype };

active proctype P2() {
  do
  :: f12?d -> skip
  :: f21!a; f12?c -> f21!b
  :: f21!c; f12?a -> f21!a
  :: f21!b; f12?b -> f21!c
  od
}

active proctype P1() {
  int i = 0;
  int j = -3;
  do
  :: i >= 0 -> i++; f12!a; f21?b -> f12!d
  :: j < -2 -> j--; f12!b; f21?c -> f12!d
  :: i - j >= 1 -> f12!c; f21?a -> f12!d
  od
}
