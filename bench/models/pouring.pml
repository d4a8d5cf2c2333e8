/* Jugs without marks: fill one, empty one, or pour one into another until that is full or this is
   empty. Water is not lost on the way. */
#ifndef N
#define N 5
#endif
byte room[N], level[N];
byte source, target, amount;

inline least(result, a, b)
{
	if
	:: (a) <= (b) -> result = a
	:: else -> result = b
	fi
}

init {
	d_step {
		do
		:: source < N -> room[source] = 3 + 2 * source + source / 3; source++
		:: else -> break
		od;
		source = 0
	}
	do
	:: select(source : 0 .. N - 1);
	   if
	   :: level[source] < room[source] -> level[source] = room[source]
	   :: level[source] > 0 -> level[source] = 0
	   :: level[source] > 0 ->
	      select(target : 0 .. N - 1);
	      if
	      :: target != source && level[target] < room[target] ->
	         least(amount, level[source], room[target] - level[target]);
	         level[source] = level[source] - amount;
	         level[target] = level[target] + amount;
	         assert(level[source] == 0 || level[target] == room[target])
	      :: else
	      fi;
	      target = 0;
	      amount = 0
	   fi;
	   source = 0
	od
}
