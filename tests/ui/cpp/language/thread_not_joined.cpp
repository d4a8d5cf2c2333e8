// verdict: violated exception
// states: 178
#include <thread>

int main() {
    std::thread thread([] {});
} //~ error
