/* Variables of all types, from C and back. */
mtype = { red, green };
typedef Rec { bit b; short s[2]; unsigned u : 5; int i };
Rec r[2];
bool flag;
mtype col = red;
chan q = [2] of { byte, mtype };

active proctype P() {
	int loc[2];
	mtype m;
	c_code {
		now.r[1].b = 1;
		now.r[1].s[1] = -300;
		now.r[0].u = 33;
		now.r[0].i = -70000;
		now.flag = 3;
		now.col = now.col - 1;
		PP->loc[1] = 70000;
	};
	assert(r[1].b == 1 && r[1].s[1] == -300 && r[0].u == 1 && r[0].i == -70000);
	assert(flag == 1 && col == green && loc[1] == 70000);
	q!3,red;
	q?loc[0],m;
	c_code { PP->loc[0] += now.r[0].u; };
	assert(loc[0] == 4 && m == red)
}
