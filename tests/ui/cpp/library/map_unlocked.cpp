// verdict: violated race
// reductions: tau
// exeunt: --races
#include <map>
#include <thread>

static std::map<int, int> table{{1, 1}};

int main() {
    std::thread reader([] { return table.count(1); }); //~ error
    table[0] = 2; //~ error
    reader.join();
}
