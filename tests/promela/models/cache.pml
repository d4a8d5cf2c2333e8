/* A snooping cache: invalid, shared, modified, with a bus of one request. */
#define N 3
mtype = { invalid, shared_, modified };
mtype line[N] = invalid;
mtype = { read, write };
chan bus = [1] of { mtype, byte };

active [N] proctype cpu()
{
	do
	:: line[_pid] == invalid -> bus!read(_pid); (line[_pid] != invalid)
	:: line[_pid] != modified -> bus!write(_pid); (line[_pid] == modified)
	:: line[_pid] == modified -> line[_pid] = invalid
	od
}

active proctype arbiter()
{
	mtype request;
	byte who, i;
	do
	:: bus?request(who) ->
	   d_step {
		i = 0;
		do
		:: i < N ->
			if
			:: i == who && request == write -> line[i] = modified
			:: i == who && request == read -> line[i] = shared_
			:: i != who && request == write -> line[i] = invalid
			:: i != who && request == read && line[i] == modified -> line[i] = shared_
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0; who = 0; request = 0
	   };
	   assert(!(line[0] == modified && line[1] == modified))
	od
}
