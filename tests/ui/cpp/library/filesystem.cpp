// verdict: inconclusive
// reductions: movers full
// warning: `std::filesystem` (filesystem.cpp:6
#include <filesystem>

int main() { return std::filesystem::exists("/tmp"); }
