/* Remote references to labels and variables. */
byte witness;

proctype worker(byte n)
{
	byte local_ = n;
	do
	:: local_ > 0 -> local_--
	:: local_ == 0 -> break
	od;
rest:	goto over;
	skip;
over:	witness++;
here:	skip
}

active proctype watcher()
{
	byte w;
	w = run worker(2);
	(worker[w]@rest);
	assert(worker[w]:local_ == 0);
	worker[w]@here -> witness = witness + 10;
	(_nr_pr == 1)
}
