// verdict: holds
// states: 32
// exeunt: --property temporal --fair
// Both formulas of the model, under fairness.
bool flag[2], inside[2];
byte turn;

active [2] proctype P() {
	do
	:: flag[_pid] = true;
	   turn = 1 - _pid;
	   !flag[1 - _pid] || turn == _pid;
	   inside[_pid] = true;
	   inside[_pid] = false;
	   flag[_pid] = false
	od
}

ltl exclusion { [] !(inside[0] && inside[1]) }
ltl response { [] (flag[0] -> <> inside[0]) }
