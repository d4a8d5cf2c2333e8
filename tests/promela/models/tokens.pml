/* A token ring with failing nodes. */
#define N 3
chan ring[N] = [1] of { byte };
byte rounds;

active [N] proctype node()
{
	byte t;
	do
	:: ring[_pid]?t ->
	   if
	   :: t < 6 -> ring[(_pid + 1) % N]!t + 1
	   :: t >= 6 -> rounds++; ring[(_pid + 1) % N]!t; break
	   :: t == 3 && _pid == 1 -> ring[(_pid + 1) % N]!0
	   fi
	:: rounds > 0 -> break
	od
}

init { ring[0]!0 }
