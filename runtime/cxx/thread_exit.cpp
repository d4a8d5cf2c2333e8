// Destructors of thread_local variables.
//
// Each thread has a list of them, the last one first. It runs as the destructor of a
// thread-specific key when the thread ends, and with the handlers of atexit in
// the thread that ends the program.

#include <pthread.h>
#include <stdlib.h>

namespace {

struct Entry {
    void (*destructor)(void *);
    void *object;
    Entry *next;
};

__thread Entry *entries;
pthread_key_t key;
pthread_once_t once = PTHREAD_ONCE_INIT;

// A destructor may use another thread_local variable for the first time.
void run(void *) {
    while (Entry *entry = entries) {
        entries = entry->next;
        entry->destructor(entry->object);
        free(entry);
    }
}

void run_at_exit() { run(nullptr); }

void begin() {
    pthread_key_create(&key, run);
    atexit(run_at_exit);
}

} // namespace

extern "C" int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *) {
    pthread_once(&once, begin);
    auto *entry = static_cast<Entry *>(malloc(sizeof(Entry)));
    if (!entry)
        return -1;
    *entry = {destructor, object, entries};
    entries = entry;
    pthread_setspecific(key, &entries);
    return 0;
}
