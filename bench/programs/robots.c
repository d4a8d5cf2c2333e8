// Two robots on a board of BOARD x BOARD fields, after the benchmark of Cartesian partial-order
// reduction (Gueta, Flanagan, Yahav, Sagiv): one walks along every other row, the other one
// along every other column. They may meet only where such a row and such a column cross.
#include <assert.h>
#include <pthread.h>

#ifndef BOARD
#define BOARD 4
#endif

static unsigned char board[BOARD][BOARD];
static pthread_mutex_t field[BOARD][BOARD];

static void enter(int row, int column, unsigned char robot) {
    pthread_mutex_lock(&field[row][column]);
    board[row][column] |= robot;
    int both = board[row][column] == 3;
    pthread_mutex_unlock(&field[row][column]);
    assert(!both || (row % 2 == 0 && column % 2 == 0));
}

static void leave(int row, int column, unsigned char robot) {
    pthread_mutex_lock(&field[row][column]);
    board[row][column] &= (unsigned char)~robot;
    pthread_mutex_unlock(&field[row][column]);
}

static void *rows(void *unused) {
    for (int row = 0; row < BOARD; row += 2)
        for (int column = 0; column < BOARD; column++) {
            enter(row, column, 1);
            leave(row, column, 1);
        }
    return unused;
}

static void *columns(void *unused) {
    for (int column = 0; column < BOARD; column += 2)
        for (int row = 0; row < BOARD; row++) {
            enter(row, column, 2);
            leave(row, column, 2);
        }
    return unused;
}

int main(void) {
    for (int i = 0; i < BOARD * BOARD; i++)
        pthread_mutex_init(&field[i / BOARD][i % BOARD], 0);
    pthread_t a, b;
    pthread_create(&a, 0, rows, 0);
    pthread_create(&b, 0, columns, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
