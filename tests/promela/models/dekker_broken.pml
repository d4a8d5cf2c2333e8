/* Dekker without the first wait: both get in. */
bool wants[2];
byte critical;

active [2] proctype contender()
{
	byte you = 1 - _pid;
	(!wants[you]);
	wants[_pid] = true;
	critical++;
	assert(critical == 1);
	critical--;
	wants[_pid] = false
}
