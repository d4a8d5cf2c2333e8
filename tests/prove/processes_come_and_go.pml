/* A child in each round, which leaves a message. */
/* expect: violated grows log 1 */
chan log = [2] of { byte };

proctype Child(byte x) {
  log!x
}

init {
  do
  :: run Child(4); _nr_pr == 1
  od
}
