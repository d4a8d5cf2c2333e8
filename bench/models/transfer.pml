/* A file in blocks over a network that loses confirmations; a process for each
   direction of each layer. */
#ifndef BLOCKS
#define BLOCKS 6
#endif
#ifndef CAP
#define CAP 3
#endif
mtype = { open, accepted, rejected, block, eof, ack };
chan up[2] = [CAP] of { mtype, byte };
chan down[2] = [CAP] of { mtype, byte };
byte received;

active proctype source()
{
	byte seq, n;
again:
	up[0]!open(0);
	if
	:: down[0]?accepted(n)
	:: down[0]?rejected(n) -> goto again
	fi;
	do
	:: seq < BLOCKS && nfull(up[0]) -> up[0]!block(seq); seq++
	:: down[0]?ack(n)
	:: seq == BLOCKS && nfull(up[0]) -> up[0]!eof(seq); break
	od;
	do
	:: down[0]?ack(n) -> if :: n == BLOCKS -> break :: else fi
	od
}

active proctype forth()
{
	mtype what;
	byte n;
end:	do
	:: up[0]?what(n) -> up[1]!what(n)
	od
}

active proctype back()
{
	mtype what;
	byte n;
end:	do
	:: down[1]?what(n) ->
	   if
	   :: down[0]!what(n)
	   :: what == ack && n < BLOCKS -> skip
	   fi
	od
}

active proctype sink()
{
	byte n;
	do
	:: up[1]?open(n) -> if :: down[1]!accepted(0) :: down[1]!rejected(0) fi
	:: up[1]?block(n) -> assert(n == received); received++; down[1]!ack(n)
	:: up[1]?eof(n) -> assert(received == BLOCKS); down[1]!ack(n); break
	od
}
