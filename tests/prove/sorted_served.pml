/* What is urgent goes to the front and is taken at once; the rest waits for ever. */
/* expect: violated grows jobs 1 */
chan jobs = [8] of { byte, byte };

active proctype P() {
  byte what;
  do
  :: jobs!!5, 0; jobs!!1, 7; jobs?1, what; what == 7
  od
}
