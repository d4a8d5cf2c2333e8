/* A deterministic step that counts and sends. */
/* expect: violated grows c 2 */
chan c = [4] of { byte };
byte n;

active proctype P() {
  do
  :: d_step { n++; if :: n % 2 == 0 -> skip :: else -> skip fi; c!n }
  od
}
