// verdict: holds
// states: 16
// exeunt: -- -std=gnu89 -Wno-implicit-function-declaration
// native
// K&R definitions and declarations, and malloc that nobody declared.
int printf();

int scale(a, x)
int a;
double x;
{
    return a * x;
}

int later();

int main()
{
    int *p = malloc(sizeof *p);
    *p = scale(3, 2.0);
    printf("%d %d\n", *p, later(*p, 1, 2));
    free(p);
    return 0;
}

int later(x)
int x;
{
    return x + 1;
}
