/* Figure 9 of Kuntz, Leue and Scheben, PEX: ch2 grows by one message in each round. */
/* expect: violated grows ch2 1 */
/* expect --grow ch2: violated grows ch2 1 */
/* expect --grow ch1: violated grows ch1 any */
chan ch1 = [10] of { byte };
chan ch2 = [10] of { byte };

active proctype P1() {
  do
  :: ch1!1 -> ch2?1
  od
}

active proctype P2() {
inits:
  skip;
  do
  :: ch1?1 -> ch2!1
  :: break
  od;
  do
  :: ch1?1 -> ch2!1; ch2!1
  :: break
  od;
  goto inits
}
