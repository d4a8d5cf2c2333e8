// verdict: violated leak
// states: 190
// exeunt: --leaks
// Nobody frees what was allocated before the exception.
int main() {
    try {
        int *p = new int(1); //~ error
        if (*p)
            throw 2;
        delete p;
    } catch (int) {
    }
}
