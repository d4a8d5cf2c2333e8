/* Round robin over two channels. */
/* expect: violated grows c[0] 1 */
/* expect --grow c: violated grows c[1] 1 */
chan c[2] = [2] of { byte };
byte i;

active proctype P() {
  do
  :: c[i]!1; i = 1 - i
  od
}
