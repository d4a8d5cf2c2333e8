// verdict: holds
// states: 122
// The clock is not that of any machine.
#include <chrono>

int main() {
    auto start = std::chrono::steady_clock::now();
    return std::chrono::steady_clock::now() < start;
}
