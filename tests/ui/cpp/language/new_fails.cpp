// verdict: violated exception
// states: 352
// exeunt: --malloc-fails
#include <new>

int main() {
    int *maybe = new (std::nothrow) int(1);
    delete maybe;
    int *number = new int(2); //~ error
    delete number;
}
