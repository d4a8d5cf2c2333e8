// unreach-call: false(unreach-call)
// no-data-race: true
// valid-memsafety: true
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error() {}
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}
int main() {
    unsigned char x = __VERIFIER_nondet_uchar();
    _Bool odd = __VERIFIER_nondet_bool();
    assume_abort_if_not(x > 250);
    if (odd && x % 2 == 1 && x != 251 && x != 253)
        reach_error();
    return 0;
}
