// verdict: violated exception
#include <exception>

int main() {
    std::terminate(); //~ error
}
