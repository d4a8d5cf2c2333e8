/* Valid ends, accept and progress labels; one process may be stuck. */
chan req = [0] of { byte };
byte served;

active proctype server()
{
end_idle:
	do
	:: req?1 -> progress_served: served++
	:: req?2 -> accept_two: skip
	od
}

active [2] proctype client()
{
	if
	:: req!1
	:: req!2
	:: req!3
	fi
}
