// verdict: violated exception
// states: 389
#include <stdexcept>

int main() {
    throw std::runtime_error("no one is there"); //~ error
}
