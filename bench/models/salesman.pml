/* A tour through all cities: where to go next is chosen at every stop, also a
   city that was seen before, and no tour that comes home is shorter than BEST. */
#ifndef N
#define N 9
#endif
#ifndef BEST
#define BEST 9
#endif
#define LONGEST 60
#define ROAD(a, b) road[(a) * N + (b)]

byte road[N * N];
bool seen[N];
byte city, next, stops;
short length;

inline lay_roads()
{
	d_step {
		city = 0;
		do
		:: city < N ->
		   next = 0;
		   do
		   :: next < N ->
		      ROAD(city, next) = 1 + (city * next + 3 * (city + next)) % 11;
		      next++
		   :: else -> break
		   od;
		   city++
		:: else -> break
		od;
		city = 0;
		next = 0
	}
}

inline travel(to)
{
	length = length + ROAD(city, to);
	city = to;
	if
	:: !seen[city] -> seen[city] = true; stops++
	:: else
	fi
}

init {
	lay_roads();
	seen[0] = true;
	stops = 1;
	do
	:: stops < N && length < LONGEST ->
	   select(next : 0 .. N - 1);
	   if
	   :: next != city -> travel(next)
	   :: else
	   fi
	:: stops == N -> travel(0); break
	:: stops < N && length >= LONGEST -> goto late
	od;
	assert(length >= BEST);
late:	skip
}
