/* Two processes count in turns, with messages between them; the guard fails when the sum wraps around. */
/* expect: holds */
chan ping = [2] of { short };
chan pong = [2] of { short };
chan log = [2] of { short };

active proctype Up() {
  short s;
  do
  :: s + 3 > s && s < 32000 -> ping!s + 3; pong?s
  od
}

active proctype Back() {
  short t;
end:
  do
  :: ping?t -> log!t; pong!t
  od
}
