/* C code looks at the number of processes, which others change. */
c_state "int most" "Global" "0"
byte seen;

proctype P(byte left) {
  if
  :: left > 0 -> run P(left - 1)
  :: else
  fi;
  c_code { if (now._nr_pr > now.most) now.most = now._nr_pr; now.seen = now._nr_pr; }
}

init {
  run P(2);
  c_expr { now._nr_pr == 1 };
  c_code { now.seen = now.most; };
  assert(seen >= 2 && seen <= 4)
}
