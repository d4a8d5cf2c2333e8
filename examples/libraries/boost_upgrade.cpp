// boost::shared_mutex and upgrade locks (package libboost-dev): one reader may become a writer.
// BUG: two readers want to become writers without an upgrade lock.
// flags: -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
#include <boost/thread/locks.hpp>
#include <boost/thread/shared_mutex.hpp>
#include <cassert>
#include <thread>

static boost::shared_mutex mutex;
static int value;

static void update() {
#ifdef BUG
    boost::shared_lock<boost::shared_mutex> reading(mutex);
    int seen = value;
    boost::unique_lock<boost::shared_mutex> writing(mutex);
    value = seen + 1;
#else
    boost::upgrade_lock<boost::shared_mutex> reading(mutex);
    int seen = value;
    boost::upgrade_to_unique_lock<boost::shared_mutex> writing(reading);
    value = seen + 1;
#endif
}

int main() {
    std::thread other(update);
    update();
    other.join();
    assert(value == 2);
}
