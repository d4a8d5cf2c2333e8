/* A counting semaphore from a channel of tokens. */
#define P tokens?_
#define V tokens!0
chan tokens = [2] of { bit };
byte in;

active [3] proctype user()
{
	do
	:: P; in++; assert(in <= 2); in--; V
	:: timeout -> break
	od
}

init { V; V }
