/* Ends after 255 rounds: a candidate that runs for long. */
/* expect: holds */
chan c = [4] of { byte };

active proctype P() {
  byte b;
  do
  :: b < 255 -> b++; c!1
  :: else -> break
  od
}
