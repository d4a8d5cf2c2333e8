/* Processes that run only while a condition holds. */
byte turn;
byte count;

proctype ping() provided (turn == 0)
{
	do
	:: count < 6 -> count++; turn = 1
	:: count >= 6 -> turn = 1; break
	od
}

proctype pong() provided (turn == 1 || count > 6)
{
	do
	:: count < 6 -> count++; turn = 0
	:: count >= 6 -> turn = 0; break
	od
}

init { atomic { run ping(); run pong() } }
