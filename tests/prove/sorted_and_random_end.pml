/* Messages are sorted, and taken from anywhere; they are sent 600 times, and each is sent back once. */
/* expect: holds */
chan there = [4] of { byte, byte };
chan back = [4] of { byte };

active proctype P() {
  short left = 600;
  byte kind;
  do
  :: left > 0 -> left--;
     if
     :: kind = 1
     :: kind = 2
     fi;
     there!!kind, 7
  od
}

active proctype Q() {
end:
  do
  :: there??1, _ -> back!1
  :: there??eval(2), _ -> back!!2
  od
}

active proctype R() {
  byte got;
end:
  do
  :: back?got
  :: back??2
  od
}
