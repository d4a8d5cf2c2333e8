/* B has the number 2 if A still lives when it is started, and 1 if not. With
   its reduction SPIN lets A end first, and misses the failure. */
proctype A() { skip }

proctype B() { assert(_pid == 1) }

init { run A(); run B() }
