// Divides by zero in a late round.
int main(void) {
    int sum = 0;
    for (int i = 200; i >= 0; i--) sum += 1000 / i;
    return sum & 1;
}
