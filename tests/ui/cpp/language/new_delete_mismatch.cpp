// verdict: violated memory
// states: 4
int main() {
    int *list = new int[4];
    delete list; //~ error
}
