/* Lamport's bakery; who would need a ticket above MAX leaves. */
#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 5
#endif
bool choosing[N];
byte number[N];
byte busy;

active [N] proctype customer()
{
	byte i, most;
	do
	:: choosing[_pid] = 1;
	   i = 0; most = 0;
	   do
	   :: i < N -> most = (number[i] > most -> number[i] : most); i++
	   :: i == N -> break
	   od;
	   if
	   :: most < MAX -> number[_pid] = most + 1
	   :: else -> choosing[_pid] = 0; break
	   fi;
	   choosing[_pid] = 0;
	   i = 0;
	   do
	   :: i < N ->
	      (choosing[i] == 0);
	      (number[i] == 0 || number[i] > number[_pid] ||
	       (number[i] == number[_pid] && i >= _pid));
	      i++
	   :: i == N -> break
	   od;
	   busy++; assert(busy == 1); busy--;
	   number[_pid] = 0
	od
}
