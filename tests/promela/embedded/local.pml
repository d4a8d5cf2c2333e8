/* Each process has a C variable of its own. */
c_state "int mine" "Local W" "7"
byte sum;
proctype W(byte k) {
  c_code { PW->mine += PW->k; };
  c_code { now.sum += PW->mine; }
}
init { atomic { run W(1); run W(2) }; (_nr_pr == 1) -> assert(sum == 17) }
