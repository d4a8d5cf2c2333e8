// verdict: inconclusive
#include <iostream>

int main() {
    int n = 0;
    std::cin >> n;
    std::cout << n << "\n";
}
