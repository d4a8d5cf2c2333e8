// verdict: refused the recursion of `f`
// options: --thread f --env 'f*'
int f(int n) {
    return n > 0 ? f(n - 1) : 0;
}
