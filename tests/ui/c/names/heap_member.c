// verdict: violated deadlock
// states: 18
// exeunt: --no-spurious
// A wait in memory of the heap is named by the way the program gets there.
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    int size;
    pthread_mutex_t m_mu;
    pthread_cond_t w_cond;
} chan_t;

static chan_t *chan_init(int size) {
    chan_t *chan = malloc(sizeof *chan);
    chan->size = size;
    pthread_mutex_init(&chan->m_mu, 0);
    pthread_cond_init(&chan->w_cond, 0);
    return chan;
}

static void chan_send(chan_t *chan) {
    pthread_mutex_lock(&chan->m_mu);
    while (chan->size > 0)
        pthread_cond_wait(&chan->w_cond, &chan->m_mu); //~ error
    pthread_mutex_unlock(&chan->m_mu);
}

int main(void) {
    chan_t *c = chan_init(1);
    chan_send(c);
    return 0;
}
