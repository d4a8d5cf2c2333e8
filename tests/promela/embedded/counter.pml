/* Two processes share a C counter; a c_expr as a guard blocks. */
c_decl {
  typedef struct { int count; int limit; } Counter;
}
c_state "Counter c" "Global"
byte done;
active [2] proctype P() {
  byte i;
  do
  :: c_expr { now.c.count < 5 } -> c_code { now.c.count++; PP->i++; }
  :: c_expr { now.c.count >= 5 } -> break
  od;
  done++
}
