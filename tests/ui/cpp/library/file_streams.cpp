// verdict: inconclusive
// reductions: movers full
#include <fstream>

int main() {
    std::ofstream out("report.txt");
    out << 1;
}
