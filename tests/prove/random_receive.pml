/* The ones are taken from behind the zeros, of which there are more and more. */
/* expect: violated grows c 1 */
chan c = [4] of { byte };

active proctype P() {
  do
  :: c!0; c!1; c??1
  od
}
