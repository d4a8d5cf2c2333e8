// verdict: violated memory
// states: 2
// A value that was never written gets into a variable of the model.
byte x;

active proctype P() {
	x = 1;
	c_code { int y; now.x = y; } //~ error
}
