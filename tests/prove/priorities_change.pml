/* As long as the guard goes first, the channel is emptied in time; then it steps back. */
/* expect: violated grows c 1 */
chan c = [4] of { byte };
byte rounds;

active proctype Guard() priority 3 {
  do
  :: rounds < 2 -> c?_ -> rounds++
  :: rounds == 2 -> set_priority(_pid, 1); break
  od
}

active proctype Producer() priority 2 {
  do
  :: c!1
  od
}
