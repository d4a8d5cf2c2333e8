/* A queue by priority: what is urgent (1) is served, what is not (5) waits for ever. */
/* expect: violated grows jobs any */
/* expect --process Server: violated grows jobs 1 */
chan jobs = [8] of { byte, byte };

active proctype Client() {
  do
  :: jobs!!5, 0 -> jobs!!1, 7
  od
}

active proctype Server() {
  byte what;
end:
  do
  :: jobs?1, what -> what == 7
  od
}
