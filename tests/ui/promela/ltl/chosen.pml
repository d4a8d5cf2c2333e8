// verdict: violated ltl
// states: 17
// exeunt: --property temporal --ltl-name response
// Only one formula of the model is asked for.
bool asked, answered;

active proctype Client() {
	do
	:: asked = true; answered; answered = false; asked = false
	od
}

active proctype Server() {
	do
	:: asked && !answered -> answered = true
	:: true -> skip
	od
}

ltl response { [] (asked -> <> answered) } //~ error
ltl nonsense { [] asked }
