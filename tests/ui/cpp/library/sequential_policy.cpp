// verdict: holds
// exeunt: -D_PSTL_PAR_BACKEND_SERIAL
// reductions: movers full
#include <algorithm>
#include <cassert>
#include <execution>
#include <vector>

int main() {
    std::vector<int> cells{3, 1, 2};
    std::for_each(std::execution::seq, cells.begin(), cells.end(), [](int &cell) { cell++; });
    std::sort(std::execution::seq, cells.begin(), cells.end());
    assert(cells[0] == 2 && cells[2] == 4);
}
