// unreach-call: true
// termination: false(termination)
#include <pthread.h>
void reach_error() {}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main() {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    reach_error();
    return 0;
}
