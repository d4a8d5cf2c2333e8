// verdict: violated exception
// states: 17
#include <exception>

int main() {
    std::terminate(); //~ error
}
