/* The queue gets shorter in each round. */
/* expect: holds */
chan q = [8] of { byte };

active proctype P() {
  q!1; q!1; q!1; q!1; q!1;
  do
  :: q?1; q?1; q!1
  od
}
