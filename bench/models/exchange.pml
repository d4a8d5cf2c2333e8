/* A telephone exchange. Subscribers lift, dial, talk and put down whenever they like; two that
   are connected are connected to each other. */
#ifndef N
#define N 4
#endif
#define NOBODY 255

mtype = { lifted, put_down, dialled, dial_tone, busy_tone, ring_back, ringing, through, silence };
mtype:what = { free, dialling, calling, rung, talking, hearing_busy };

chan from[N] = [1] of { mtype, byte };
chan to[N] = [1] of { mtype };
mtype:what line[N] = free;
byte other[N] = NOBODY;

active [N] proctype subscriber()
{
	byte whom;
	mtype heard;
idle:	do
	:: from[_pid]!lifted, 0 -> break
	:: to[_pid]?heard ->
	   if
	   :: heard == ringing -> goto rings
	   :: heard != ringing
	   fi
	od;
	goto listens;
rings:	do
	:: from[_pid]!lifted, 0 -> break
	:: to[_pid]?heard
	od;
listens: do
	:: to[_pid]?heard ->
	   if
	   :: heard == dial_tone ->
	      select(whom : 0 .. N - 1);
	      do
	      :: from[_pid]!dialled, whom -> break
	      :: to[_pid]?heard
	      od;
	      whom = 0
	   :: heard != dial_tone
	   fi
	:: from[_pid]!put_down, 0 -> heard = 0; goto idle
	od
}

inline connect(a, b)
{
	line[a] = talking;
	line[b] = talking;
	to[a]!through;
	to[b]!through
}

/* Takes a line out of its call, and tells the other end. */
inline release(a)
{
	if
	:: other[a] != NOBODY && line[a] != free ->
	   peer = other[a];
	   other[a] = NOBODY;
	   other[peer] = NOBODY;
	   if
	   :: line[peer] == rung -> line[peer] = free
	   :: else -> line[peer] = hearing_busy
	   fi;
	   to[peer]!silence;
	   peer = 0
	:: else
	fi;
	line[a] = free
}

active proctype switchboard()
{
	byte a, b, peer;
end:	do
	:: select(a : 0 .. N - 1);
	   if
	   :: from[a]?lifted, _ ->
	      if
	      :: line[a] == rung -> b = other[a]; connect(a, b)
	      :: line[a] == free -> line[a] = dialling; to[a]!dial_tone
	      :: else
	      fi
	   :: from[a]?dialled, b ->
	      if
	      :: line[a] != dialling
	      :: line[a] == dialling && line[b] == free ->
	         line[a] = calling;
	         line[b] = rung;
	         other[a] = b;
	         other[b] = a;
	         to[b]!ringing;
	         to[a]!ring_back
	      :: line[a] == dialling && line[b] != free ->
	         line[a] = hearing_busy;
	         to[a]!busy_tone
	      fi
	   :: from[a]?put_down, _ -> release(a)
	   :: empty(from[a])
	   fi;
	   assert(line[a] != talking || other[other[a]] == a);
	   a = 0;
	   b = 0
	od
}
