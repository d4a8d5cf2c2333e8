/* A snooping cache: invalid, shared, modified, over a bus with a queue. */
#ifndef N
#define N 4
#endif
#ifndef Q
#define Q 2
#endif
mtype = { invalid, clean, dirty, read, write };
mtype line[N] = invalid;
chan bus = [Q] of { mtype, byte };

active [N] proctype cpu()
{
	do
	:: line[_pid] == invalid -> bus!read(_pid); (line[_pid] != invalid)
	:: line[_pid] != dirty -> bus!write(_pid); (line[_pid] == dirty)
	:: line[_pid] == dirty -> line[_pid] = invalid
	od
}

active proctype arbiter()
{
	mtype request;
	byte who, i, owners;
	do
	:: bus?request(who) ->
	   d_step {
		i = 0;
		do
		:: i < N ->
			if
			:: i == who && request == write -> line[i] = dirty
			:: i == who && request == read -> line[i] = clean
			:: i != who && request == write -> line[i] = invalid
			:: i != who && request == read && line[i] == dirty -> line[i] = clean
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0; who = 0; request = 0
	   };
	   assert(!(line[0] == dirty && line[1] == dirty))
	od
}
