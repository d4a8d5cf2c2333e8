/* A short becomes negative after 32767 rounds, and then the guard fails. */
/* expect: holds */
/* expect --grow c: holds */
chan c = [4] of { byte };

active proctype P() {
  short s;
  do
  :: s >= 0 -> s++; c!1
  od
}
