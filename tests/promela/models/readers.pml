/* Readers and writers with a lost wake-up on purpose. */
byte readers, writers, waiting;
bool go;

active [2] proctype reader()
{
	do
	:: atomic { writers == 0 -> readers++ }
	   assert(writers == 0);
	   atomic { readers--; if :: readers == 0 && waiting > 0 -> go = 1 :: else fi };
	   break
	od
}

active [2] proctype writer()
{
	if
	:: atomic { readers == 0 && writers == 0 -> writers = 1 }
	:: atomic { readers > 0 -> waiting++ }
	   go == 1; go = 0; waiting--;
	   atomic { readers == 0 && writers == 0; writers = 1 }
	fi;
	assert(readers == 0);
	writers = 0
}
