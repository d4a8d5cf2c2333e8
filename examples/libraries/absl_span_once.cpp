// absl::call_once (package libabsl-dev), and its flat containers under a lock.
// BUG: one thread does not wait for the initialisation.
#include <absl/base/call_once.h>
#include <cassert>
#include <thread>

static absl::once_flag once;
static int table;

static int get() {
#ifndef BUG
    absl::call_once(once, [] { table = 5; });
#endif
    return table;
}

int main() {
    std::thread other([] { absl::call_once(once, [] { table = 5; }); });
    assert(get() == 5);
    other.join();
}
