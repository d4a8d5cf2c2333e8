// verdict: violated exception
// states: 162
#include <thread>

int main() {
    std::thread thread([] {});
} //~ error
