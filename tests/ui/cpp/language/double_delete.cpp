// verdict: violated memory
// states: 8
int main() {
    int *number = new int(1);
    delete number;
    delete number; //~ error
}
