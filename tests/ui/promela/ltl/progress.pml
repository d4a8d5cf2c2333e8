// verdict: violated ltl
// states: 8
// exeunt: --property temporal --non-progress
// Retransmitting for ever is no progress.
mtype = { data, ack };
chan line = [1] of { mtype };

active proctype Sender() {
	do
	:: line!data
	:: line?ack -> progress: skip
	od
}

active proctype Receiver() {
	do
	:: line?data -> line!ack
	:: line?data -> skip
	od
}
