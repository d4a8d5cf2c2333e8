/* Go-back-n with a window of two, modulo three. */
#define W 2
#define M 3
chan data = [W] of { byte, byte };
chan acks = [W] of { byte };
byte delivered;

active proctype sender()
{
	byte base, next, value, a;
	do
	:: (next - base + M) % M < W && value < 4 ->
	   data!next(value); next = (next + 1) % M; value++
	:: acks?a ->
	   do
	   :: base != (a + 1) % M -> base = (base + 1) % M
	   :: else -> break
	   od
	:: value == 4 && base == next -> break
	od
}

active proctype receiver()
{
	byte expected, s, v;
end:	do
	:: data?s(v) ->
	   if
	   :: s == expected ->
	      assert(v == delivered);
	      delivered++;
	      acks!s;
	      expected = (expected + 1) % M
	   :: else
	   fi
	od
}
