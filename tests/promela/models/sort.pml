/* A pipeline that sorts numbers, one process per number. */
#define N 4
chan feed[N] = [1] of { byte };
byte result[N];

proctype stage(byte id)
{
	byte mine, other, i;
	feed[id]?mine;
	for (i : 1 .. N - id - 1) {
		feed[id]?other;
		if
		:: other < mine -> feed[id + 1]!mine; mine = other
		:: else -> feed[id + 1]!other
		fi
	}
	result[id] = mine
}

init {
	byte i;
	atomic { for (i : 0 .. N - 1) { run stage(i) } }
	feed[0]!3; feed[0]!1; feed[0]!2; feed[0]!0;
	(_nr_pr == 1);
	for (i : 0 .. N - 2) { assert(result[i] <= result[i + 1]) }
}
