/* The one with the higher priority counts to its end before the other one may begin, and stops it. */
/* expect: holds */
byte n;
bit stop;

active proctype First() priority 2 {
  do
  :: n < 200 -> n++
  :: n == 200 -> stop = 1; break
  od
}

active proctype Second() {
  do
  :: !stop -> skip
  :: stop -> break
  od
}
