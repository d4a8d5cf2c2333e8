// verdict: violated memory
// states: 5
// Writing behind a global array does not reach its neighbour.
static volatile int first[2], second[2];

int main(int argc, char **argv) {
    second[0] = 1;
    first[argc + 1] = 7; //~ error
    return second[0];
}
