/* Macros with arguments, conditionals. */
#define LIMIT 3
#define both(a, b) ((a) && (b))
#define inc(v) v = v + 1
#ifdef NEVER_DEFINED
byte x = bad;
#else
byte x;
#endif
#if LIMIT > 2
#define STEP inc(x)
#else
#define STEP skip
#endif

active [2] proctype p()
{
	do
	:: both(x < LIMIT, _pid == 0) -> STEP
	:: x < LIMIT && _pid == 1 -> atomic { STEP; STEP }
	:: x >= LIMIT -> break
	od
}
