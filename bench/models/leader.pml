/* Leader election in a one-way ring (Dolev, Klawe and Rodeh); the numbers are
   dealt out in every order that the nodes start in. */
#ifndef N
#define N 5
#endif
mtype = { one, two, winner };
chan link[N] = [2 * N] of { mtype, byte };
byte leaders;
byte next = 1;

active [N] proctype node()
{
	bool active_ = true, known;
	byte number, highest, neighbour, me;

	d_step { me = next; highest = next; next++ };
	link[(_pid + 1) % N]!one(me);
end:	do
	:: link[_pid]?one(number) ->
	   if
	   :: active_ ->
	      if
	      :: number != highest -> link[(_pid + 1) % N]!two(number); neighbour = number
	      :: else -> known = true; link[(_pid + 1) % N]!winner(number)
	      fi
	   :: else -> link[(_pid + 1) % N]!one(number)
	   fi
	:: link[_pid]?two(number) ->
	   if
	   :: active_ ->
	      if
	      :: neighbour > number && neighbour > highest ->
	         highest = neighbour; link[(_pid + 1) % N]!one(neighbour)
	      :: else -> active_ = false
	      fi
	   :: else -> link[(_pid + 1) % N]!two(number)
	   fi
	:: link[_pid]?winner(number) ->
	   if
	   :: known -> leaders++; assert(leaders == 1)
	   :: else -> link[(_pid + 1) % N]!winner(number)
	   fi;
	   break
	od
}
