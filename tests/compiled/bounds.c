// The hundredth round writes behind the array.
int main(void) {
    int a[99];
    for (int i = 0; i < 100; i++) a[i] = i;
    return a[3];
}
