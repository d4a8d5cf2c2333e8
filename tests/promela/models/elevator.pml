/* A lift with doors; the door must be shut while it moves. */
mtype:door = { shut, open };
mtype:way = { up, down };
mtype:door door = shut;
mtype:way way = up;
byte floor;
bool calls[3];

active proctype lift()
{
	do
	:: calls[floor] && door == shut -> door = open; calls[floor] = false
	:: door == open -> door = shut
	:: door == shut && !calls[floor] && (calls[0] || calls[1] || calls[2]) ->
	   if
	   :: way == up && floor < 2 -> floor++
	   :: way == up && floor == 2 -> way = down
	   :: way == down && floor > 0 -> floor--
	   :: way == down && floor == 0 -> way = up
	   fi;
	   assert(door == shut)
	od
}

active proctype people()
{
	byte f;
	do
	:: select (f : 0 .. 2); calls[f] = true
	od
}
