/* A short becomes negative after 2768 rounds, and then the guard fails. When messages are received is open, so there are
   millions of configurations. */
/* expect: holds */
/* expect --grow c: holds */
chan c = [4] of { byte };

active proctype P() {
  short s = 30000;
  do
  :: s >= 0 -> s++;
     if
     :: c!1
     :: c!2; c!3
     fi
  od
}

active proctype Q() {
  byte got;
end:
  do
  :: c?got
  od
}
