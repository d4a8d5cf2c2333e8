/* Leader election in a one-directional ring (Dolev, Klawe and Rodeh's way). */
#define N 3
#define L 4
mtype = { one, two, winner };
chan link[N] = [L] of { mtype, byte };
byte leaders;

proctype node(chan in, out; byte me)
{
	bool active_ = true, known;
	byte number, highest = me, neighbour;
	xr in; xs out;

	out!one(me);
end:	do
	:: in?one(number) ->
	   if
	   :: active_ ->
	      if
	      :: number != highest -> out!two(number); neighbour = number
	      :: else -> known = true; out!winner,number
	      fi
	   :: else -> out!one(number)
	   fi
	:: in?two(number) ->
	   if
	   :: active_ ->
	      if
	      :: neighbour > number && neighbour > highest ->
	         highest = neighbour; out!one(neighbour)
	      :: else -> active_ = false
	      fi
	   :: else -> out!two(number)
	   fi
	:: in?winner,number ->
	   if
	   :: number != me -> skip
	   :: else -> leaders++; assert(leaders == 1)
	   fi;
	   if
	   :: known
	   :: else -> out!winner,number
	   fi;
	   break
	od
}

init {
	byte p;
	atomic {
		p = 0;
		do
		:: p < N ->
		   run node(link[p], link[(p + 1) % N], ((p + 2) % N) + 1);
		   p++
		:: p == N -> break
		od
	}
}
