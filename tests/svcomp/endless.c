// termination: false(termination)
// unreach-call: true
static volatile int x;
int main() {
    while (1)
        x = !x;
}
