/* Alternating bit over channels that may lose messages. */
mtype = { msg, ack };
chan forward = [2] of { mtype, bit };
chan back = [2] of { mtype, bit };
byte sent, got;

active proctype sender()
{
	bit current, answer;
	do
	:: sent < 3 ->
	   forward!msg(current);
	   do
	   :: back?ack(answer) ->
	      if
	      :: answer == current -> sent++; current = 1 - current; break
	      :: else
	      fi
	   :: timeout -> forward!msg(current)
	   od
	:: else -> break
	od
}

active proctype receiver()
{
	bit expected, seen;
end:	do
	:: forward?msg(seen) ->
	   if
	   :: seen == expected -> got++; assert(got <= sent + 1); expected = !expected
	   :: else
	   fi;
	   back!ack(seen)
	:: forward?msg,_ -> skip
	:: nempty(back) -> back?_,_
	od
}
