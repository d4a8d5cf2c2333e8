// verdict: violated exception
#include <stdexcept>

int main() {
    throw std::runtime_error("no one is there"); //~ error
}
