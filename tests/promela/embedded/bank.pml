/* Most of the C memory does not matter to a call, which looks at two accounts of eight. */
c_decl {
	struct account { int balance; char moves[4]; };
	static struct account accounts[8];

	static int move(int from, int to, int amount) {
		struct account *giver = &accounts[from];
		if (giver->balance < amount)
			return 0;
		giver->balance -= amount;
		accounts[to].balance += amount;
		giver->moves[(from + to) % 4] = (giver->moves[(from + to) % 4] + 1) % 3;
		return 1;
	}

	static int total(void) {
		int sum = 0;
		for (int i = 0; i < 8; i++)
			sum += accounts[i].balance;
		return sum;
	}
}
c_track "accounts" "sizeof(accounts)"
byte refused, sum;

proctype Teller(byte from, to) {
	byte amount, rounds;
	bit done;
	do
	:: rounds < 3 ->
		if
		:: amount = 1
		:: amount = 2
		fi;
		c_code { PTeller->done = move(PTeller->from, PTeller->to, PTeller->amount); };
		if
		:: done
		:: else -> refused = (refused + 1) % 3
		fi;
		rounds++; amount = 0; done = 0
	:: else -> break
	od;
	c_code { now.sum = total(); };
	assert(sum == 8)
}

init {
	c_code { for (int i = 0; i < 8; i++) accounts[i].balance = 1; };
	atomic { run Teller(0, 5); run Teller(5, 3) }
}
