// verdict: holds
// states: 4
// exeunt: --unreached
// What no run executes is listed.
byte x;

active proctype A() {
	if
	:: x == 0 -> x = 1
	:: x == 5 -> x = 6; assert(false)
	fi
}
