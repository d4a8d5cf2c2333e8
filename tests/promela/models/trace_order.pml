/* Every request is answered before the next one: a trace that holds. */
mtype = { req, ack };
chan up = [1] of { mtype, byte };
chan down = [1] of { mtype };
active proctype Client() {
	byte n;
	do
	:: n < 3 -> up!req,n; down?ack; n++
	:: else -> break
	od
}
active proctype Server() {
	byte m;
end:	do
	:: up?req,m -> down!ack
	od
}
trace {
end1:	do
	:: up!req,_; up?req,_; down!ack; down?ack
	od
}
