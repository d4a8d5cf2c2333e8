// verdict: violated exception
struct Problem {
    int code;
};

int main() {
    try {
        throw Problem{3}; //~ error
    } catch (int) {
    }
}
