// verdict: violated assertion
// states: 38
// A lost update that an assert() in C notices.
c_state "int total" "Global" "0"
byte done;

active [2] proctype P() {
	int seen;
	c_code { PP->seen = now.total; };
	c_code { now.total = PP->seen + 1; };
	done++;
	if
	:: done == 2 ->
		c_code {
			assert(now.total == 2); //~ error
		}
	:: else
	fi
}
