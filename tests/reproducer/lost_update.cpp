#include <cassert>
#include <mutex>
#include <thread>
#include <condition_variable>
std::mutex m;
int n;
void add() {
    int seen;
    { std::lock_guard<std::mutex> guard(m); seen = n; }
    std::lock_guard<std::mutex> guard(m);
    n = seen + 1;
}
int main() {
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(n == 2);
}
