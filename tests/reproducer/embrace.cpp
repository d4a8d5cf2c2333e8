#include <mutex>
#include <thread>
std::mutex left, right;
static void one() {
    std::lock_guard<std::mutex> first(left);
    std::lock_guard<std::mutex> second(right);
}
static void two() {
    std::lock_guard<std::mutex> first(right);
    std::lock_guard<std::mutex> second(left);
}
int main() {
    std::thread a(one), b(two);
    a.join();
    b.join();
}
