/* What must hold before C code does not, in the third round. */
byte a[3];

active proctype P() {
	byte i;
	do
	:: i < 3 -> c_code [PP->i < 2] { now.a[PP->i] = PP->i; PP->i++; }
	:: else -> break
	od
}
