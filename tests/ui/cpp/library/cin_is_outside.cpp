// verdict: inconclusive
// states: 35851
#include <iostream>

int main() {
    int n = 0;
    std::cin >> n;
    std::cout << n << "\n";
}
