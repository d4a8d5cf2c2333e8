// verdict: violated memory
// states: 4
#include <cstdlib>

int main() {
    int *number = static_cast<int *>(std::malloc(sizeof(int)));
    delete number; //~ error
}
