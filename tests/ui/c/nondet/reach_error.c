// verdict: violated assertion
// states: 6
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    if (__VERIFIER_nondet_bool())
        reach_error(); //~ error
    return 0;
}
