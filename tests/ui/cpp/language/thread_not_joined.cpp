// verdict: violated exception
// states: 146
#include <thread>

int main() {
    std::thread thread([] {});
} //~ error
