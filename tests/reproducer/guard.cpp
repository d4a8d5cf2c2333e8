// A static variable whose initialisation takes a lock that a thread holds which waits for the variable.
#include <mutex>
#include <thread>

std::mutex lock;

int make() {
    std::lock_guard<std::mutex> guard(lock);
    return 1;
}

int value() {
    static int made = make();
    return made;
}

int main() {
    std::thread a([] { value(); });
    std::thread b([] {
        std::lock_guard<std::mutex> guard(lock);
        value();
    });
    a.join();
    b.join();
}
