/* Opening, sending and closing a file over three layers. */
mtype = { open, accept_, reject, data, eof, close };
chan use_to_pres = [0] of { mtype };
chan pres_to_use = [0] of { mtype };
chan pres_to_net = [1] of { mtype, byte };
chan net_to_pres = [1] of { mtype, byte };

active proctype user()
{
	mtype answer;
	use_to_pres!open;
	if
	:: pres_to_use?accept_ -> use_to_pres!data; pres_to_use?answer
	:: pres_to_use?reject
	fi
}

active proctype presentation()
{
	byte seq, n;
idle:	use_to_pres?open;
	pres_to_net!open(0);
	if
	:: net_to_pres?accept_,_ -> pres_to_use!accept_
	:: net_to_pres?reject,_ -> pres_to_use!reject; goto end_
	:: timeout -> pres_to_use!reject; goto end_
	fi;
	use_to_pres?data;
	do
	:: seq < 3 -> pres_to_net!data(seq); net_to_pres?data(n); assert(n == seq); seq++
	:: seq == 3 -> pres_to_net!close(seq); break
	od;
	pres_to_use!eof;
end_:	skip
}

active proctype network()
{
	byte n;
	do
	:: pres_to_net?open,_ ->
	   if
	   :: net_to_pres!accept_(0)
	   :: net_to_pres!reject(0); break
	   fi
	:: pres_to_net?data(n) -> net_to_pres!data(n)
	:: pres_to_net?close,_ -> break
	od
}
