// verdict: holds
// reductions: movers full
#include <cassert>
#include <iomanip>
#include <sstream>

int main() {
    std::ostringstream out;
    out << std::setw(4) << std::setfill('0') << 42 << ' ' << std::hex << 255;
    assert(out.str() == "0042 ff");
    std::istringstream in("7 words");
    int n = 0;
    std::string word;
    in >> n >> word;
    assert(n == 7 && word == "words");
}
