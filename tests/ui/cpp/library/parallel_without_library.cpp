// verdict: inconclusive
// exeunt: -D_PSTL_PAR_BACKEND_SERIAL
// reductions: movers full
// warning: a parallel algorithm (`std::execution::par`) (parallel_without_library.cpp:13
// Where no library for parallel algorithms is installed they run one after the other. This program is wrong
// on every machine that has one.
#include <algorithm>
#include <execution>
#include <vector>

int main() {
    std::vector<int> cells(8, 1);
    std::for_each(std::execution::par, cells.begin(), cells.end(), [&](int &cell) { cell = ++cells[0]; });
}
