/* The middle stage makes two of one. */
/* expect --process Last: violated grows second 1 */
chan first = [2] of { byte };
chan second = [2] of { byte };

active proctype Source() {
  do
  :: empty(first) -> first!1
  od
}

active proctype Middle() {
  do
  :: first?1 -> second!1; second!1
  od
}

active proctype Last() {
  do
  :: second?1
  od
}
