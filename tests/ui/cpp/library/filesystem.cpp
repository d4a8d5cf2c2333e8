// verdict: inconclusive
// reductions: movers full
// warning: std::filesystem::status
#include <filesystem>

int main() { return std::filesystem::exists("/tmp"); }
