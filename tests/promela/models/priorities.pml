/* Only processes of the highest priority that can move do. */
byte order, x;

active proctype low() priority 1 { order = order * 2; x = 1 }
active proctype mid() priority 5 { order = order * 2 + 1; x == 1; x = 2; set_priority(0, 7) }
active proctype high() priority 9
{
	order = 1;
	set_priority(_pid, 2);
	(x == 2);
	assert(get_priority(0) == 7);
	order++
}
