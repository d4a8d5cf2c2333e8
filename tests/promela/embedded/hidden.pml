/* How often C code ran is of no account. */
c_state "int calls" "Hidden"
c_state "short v" "Global" "3"
byte n;
active proctype P() {
  do
  :: n < 4 -> c_code { calls++; now.n++; now.v = now.v * 2 % 5; }
  :: n > 0 -> c_code { calls++; now.n--; }
  od
}
