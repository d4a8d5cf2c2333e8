// no-overflow: false(no-overflow)
// unreach-call: true
extern _Bool __VERIFIER_nondet_bool(void);
int main() {
    int x = 2147483647;
    if (__VERIFIER_nondet_bool())
        x = x + 1;
    return 0;
}
