// Variables of inner blocks that come and go in each round; the last pointer is used too late.
int main(void) {
    int *late = 0, sum = 0;
    for (int i = 0; i < 90; i++) {
        int inner[8] = {i};
        late = inner;
        for (int j = 0; j < 8; j++) sum += late[j];
    }
    return sum + *late;
}
