/* Escapes: an interrupt leaves the work, nested escapes rank from outside. */
byte work, alarm;
bool stop;

active proctype worker()
{
	{
		do
		:: work < 4 -> work++
		:: work > 0 -> work--
		od unless { alarm == 1 -> alarm = 2 }
	} unless { stop -> work = 9 };
	if
	:: work == 9 -> skip
	:: else -> work = 7
	fi
}

active proctype clock()
{
	if
	:: alarm = 1
	:: stop = true
	:: atomic { alarm = 1; stop = true }
	fi
}
