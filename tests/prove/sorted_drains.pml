/* What is sorted to the front is not what the receiver waits for: it stops, and then the sender does. */
/* expect: holds */
chan c = [8] of { byte };
byte sent;

active proctype P() {
  do
  :: sent < 3 -> c!!4; sent++
  :: sent < 3 -> c!!2; sent = 3
  od
}

active proctype Q() {
end:
  do
  :: c?4 -> c!!4; c??[2] -> break
  od
}
