// verdict: violated ltl
// states: 10
// exeunt: --property temporal
// A never claim of the model, which matches.
byte x;

active proctype A() {
	do
	:: x < 3 -> x++
	:: x > 0 -> x--
	od
}

never { //~ error
T0:	do
	:: true
	:: x == 2 -> goto accept
	od;
accept:	do
	:: x > 1
	od
}
