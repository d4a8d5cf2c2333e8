// One cell in the middle was never written.
int main(void) {
    int a[200], sum = 0;
    for (int i = 0; i < 200; i++)
        if (i != 150) a[i] = i;
    for (int i = 0; i < 200; i++)
        if (a[i] > 5) sum++;
    return sum == 7;
}
