// verdict: holds
// options: --thread up --env 'up*'
// verdict: violated
// options: --thread over --env ''
unsigned long nondet_number(void);

void up(void) {
    for (unsigned long i = nondet_number(); i < 18446744073709551615UL; i++)
        ;
}

void over(void) {
    for (unsigned long i = 18446744073709551610UL; i <= 18446744073709551615UL; i++)
        ;
}
