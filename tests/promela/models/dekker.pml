/* Dekker's algorithm. */
bool wants[2];
bit favoured;
byte critical;

proctype contender(bit me)
{
	bit you = 1 - me;
	do
	:: wants[me] = 1;
	   do
	   :: wants[you] ->
	      if
	      :: favoured != me ->
	         wants[me] = 0;
	         (favoured == me);
	         wants[me] = 1
	      :: else
	      fi
	   :: else -> break
	   od;
	   critical++;
	   assert(critical < 2);
	   critical--;
	   favoured = you;
	   wants[me] = 0
	od
}

init { atomic { run contender(0); run contender(1) } }
