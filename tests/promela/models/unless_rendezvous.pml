/* A handshake as escape, and atomic work that can be interrupted. */
chan irq = [0] of { byte };
byte n, handled;

active proctype cpu()
{
	byte k;
again:
	{
		atomic { n < 3 -> n++; n = n }
		n = (n == 3 -> 0 : n);
		goto again
	} unless { irq?k -> handled = k };
	assert(handled == 7)
}

active proctype device()
{
	if
	:: n == 2 -> irq!7
	:: n == 1 -> skip
	fi
}
