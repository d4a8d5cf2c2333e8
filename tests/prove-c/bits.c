// Loops on the bits of a number of the thread's own.
// verdict: holds
// options: --thread count_ones --env ''
// verdict: holds
// options: --thread clear_lowest --env ''
// verdict: holds
// options: --thread clear_by_number --env ''
// verdict: holds
// options: --thread shift_out --env ''
// verdict: violated
// options: --thread shift_by_nothing --env ''
// verdict: violated
// options: --thread shift_keeps_sign --env ''
// verdict: holds
// options: --thread mask_leaves --env ''
// verdict: holds
// options: --thread mask_looks_for_a_bit --env ''
// verdict: holds
// options: --thread highest_bit --env ''
// verdict: violated
// options: --thread next_power --env ''
// verdict: holds
// options: --thread clear_mask --env ''
// verdict: holds
// options: --thread fill_up --env ''
// verdict: holds
// options: --thread all_submasks --env ''
// verdict: holds
// options: --thread multiply_in_field --env ''
// verdict: holds
// options: --thread square_root --env ''
// verdict: holds
// options: --thread look_through --env ''
// verdict: holds
// options: --thread rotate --env ''
unsigned nondet_number(void);
unsigned char nondet_byte(void);

void count_ones(void) {
    for (unsigned x = nondet_number(); x; )
        x &= x - 1;
}

void clear_lowest(void) {
    for (unsigned x = nondet_number(); x; )
        x ^= x & -x;
}

void clear_by_number(void) {
    for (unsigned x = nondet_number(); x; )
        x &= ~(1u << __builtin_ctz(x));
}

void shift_out(void) {
    unsigned by = nondet_number() & 31;
    if (by == 0)
        return;
    for (unsigned x = nondet_number(); x; )
        x >>= by;
}

void shift_by_nothing(void) {
    unsigned by = nondet_number() & 31;
    for (unsigned x = nondet_number(); x; )
        x >>= by;
}

void shift_keeps_sign(void) {
    for (int x = (int)nondet_number(); x; )
        x >>= 1;
}

void mask_leaves(void) {
    for (unsigned mask = 1; mask; mask <<= 1)
        ;
}

void mask_looks_for_a_bit(void) {
    unsigned x = nondet_number();
    for (unsigned mask = 1; mask && !(x & mask); mask <<= 1)
        ;
}

void highest_bit(void) {
    unsigned x = nondet_number();
    if (x == 0)
        return;
    while (!(x & 0x80000000u))
        x <<= 1;
}

// Beyond the largest power of two it becomes 0 and stays so.
void next_power(void) {
    unsigned limit = nondet_number();
    for (unsigned power = 1; power < limit; )
        power <<= 1;
}

void clear_mask(void) {
    unsigned mask = nondet_number();
    for (unsigned x = nondet_number(); x & mask; )
        x &= ~mask;
}

void fill_up(void) {
    for (unsigned x = nondet_number(); x != ~0u; )
        x |= x + 1;
}

void all_submasks(void) {
    unsigned mask = nondet_number();
    for (unsigned part = mask; part; part = (part - 1) & mask)
        ;
}

// A product in the field of 256 elements.
unsigned char multiply_in_field(void) {
    unsigned char a = nondet_byte(), b = nondet_byte(), product = 0;
    while (b) {
        if (b & 1)
            product ^= a;
        unsigned char carry = a & 0x80;
        a <<= 1;
        if (carry)
            a ^= 0x1b;
        b >>= 1;
    }
    return product;
}

unsigned square_root(void) {
    unsigned rest = nondet_number(), root = 0;
    for (unsigned bit = 1u << 30; bit; bit >>= 2) {
        unsigned next = root | bit;
        root >>= 1;
        if (rest >= next) {
            rest -= next;
            root |= bit;
        }
    }
    return root;
}

void look_through(void) {
    unsigned x = nondet_number();
    for (unsigned bit = 0; bit < 32 && !(x & (1u << bit)); bit++)
        ;
}

// One bit goes round.
void rotate(void) {
    unsigned x = 1;
    do
        x = x << 1 | x >> 31;
    while (x != 1);
}
