/* What is received is sent again, sorted: the counter ends, the messages do not. */
/* expect: violated grows nothing */
chan there = [4] of { byte };

active proctype P() {
  short left = 600;
  do
  :: left > 0 -> left--; there!!1
  od
}

active proctype Q() {
  byte got;
end:
  do
  :: there??got -> there!!got
  od
}
