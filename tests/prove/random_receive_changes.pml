/* There are more and more ones, but the 2 comes to their front, and the receive finds it. */
/* expect: holds */
chan c = [4] of { byte };

active proctype P() {
  byte got;
  c!1; c!2;
  do
  :: c!1; c!1; c??got; got == 1
  od
}
