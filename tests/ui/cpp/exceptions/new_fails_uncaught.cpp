// verdict: violated exception
// states: 343
// exeunt: --malloc-fails
int main() {
    int *p = new int(1); //~ error
    delete p;
}
