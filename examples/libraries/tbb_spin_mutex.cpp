// tbb::spin_mutex and spin_rw_mutex (package libtbb-dev), which are headers alone.
// BUG: a reader that becomes a writer does not look at the value again.
#include <cassert>
#include <tbb/spin_rw_mutex.h>
#include <thread>

static tbb::spin_rw_mutex mutex;
static int value;

static void update() {
    tbb::spin_rw_mutex::scoped_lock lock(mutex, false);
    int seen = value;
    bool kept = lock.upgrade_to_writer();
#ifdef BUG
    (void)kept;
#else
    if (!kept)
        seen = value;
#endif
    value = seen + 1;
}

int main() {
    std::thread other(update);
    update();
    other.join();
    assert(value == 2);
}
