/* Sliding window, go back n, over channels that lose messages. */
#ifndef W
#define W 3
#endif
#ifndef LAST
#define LAST 6
#endif
#define M (W + 1)
chan data = [W] of { byte, byte };
chan acks = [W] of { byte };
byte delivered;

active proctype sender()
{
	byte base, next, value, a, k;
	do
	:: (next + M - base) % M < W && value < LAST ->
	   data!next(value % 16); next = (next + 1) % M; value++
	:: acks?a ->
	   do
	   :: base != (a + 1) % M && base != next -> base = (base + 1) % M
	   :: else -> break
	   od
	:: base != next && empty(acks) ->
	   /* Again from the oldest that is not confirmed. */
	   value = value - (next + M - base) % M;
	   next = base
	:: value == LAST && base == next -> break
	od
}

active proctype receiver()
{
	byte expected, s, v;
end:	do
	:: data?s(v) ->
	   if
	   :: s == expected ->
	      assert(v == delivered % 16);
	      delivered++;
	      expected = (expected + 1) % M;
	      if
	      :: acks!s
	      :: skip
	      fi
	   :: else ->
	      if
	      :: acks!(expected + M - 1) % M
	      :: full(acks) -> skip
	      fi
	   fi
	:: data?s(v) -> skip
	od
}
