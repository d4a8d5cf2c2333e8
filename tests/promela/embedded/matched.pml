/* All of the C memory is compared. */
c_decl { int x; int y; }
c_track "&x" "sizeof(int)"
c_track "&y" "sizeof(int)" "Matched"
active proctype P() {
  do
  :: c_code { x = (x + 1) % 4; y = (y + 1) % 7; }
  :: c_code { y = 0; }
  od
}
