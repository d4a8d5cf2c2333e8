/* Two counters that wrap around have thousands of millions of states together, and few by themselves. */
/* expect: holds */
chan c = [4] of { byte };

active [2] proctype P() {
  short i;
  do
  :: i >= 0 -> i++; c!1
  :: i > 9 -> i = i + 2
  od
}

active proctype Q() {
end:
  do
  :: c?1
  od
}
