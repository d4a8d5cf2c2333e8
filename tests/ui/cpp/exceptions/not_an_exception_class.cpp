// verdict: violated exception
// states: 393
struct Problem {
    int code;
};

int main() {
    try {
        throw Problem{3}; //~ error
    } catch (int) {
    }
}
