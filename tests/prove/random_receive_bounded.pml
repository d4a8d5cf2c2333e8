/* From a channel that keeps its length it is. */
/* expect: violated grows nothing */
/* expect --grow: holds */
chan c = [4] of { byte };

active proctype P() {
  c!0; c!1;
  do
  :: c??1; c!1
  od
}
