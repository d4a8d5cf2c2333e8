// verdict: inconclusive
// reductions: movers full
#include <iostream>

int main() { std::wcout << L"\u20ac"; }
