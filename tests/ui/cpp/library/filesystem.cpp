// verdict: inconclusive
// reductions: movers full
#include <filesystem>

int main() { return std::filesystem::exists("/tmp"); }
