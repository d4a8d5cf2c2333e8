// Containers of the library, whose functions become hot.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

int main() {
    std::vector<unsigned> values;
    std::map<unsigned, std::string> names;
    unsigned x = 1;
    for (int i = 0; i < 120; i++) {
        x = x * 1664525u + 1013904223u;
        values.push_back(x % 1000);
        names[x % 20] += static_cast<char>('a' + x % 26);
    }
    std::sort(values.begin(), values.end());
    unsigned sum = 0;
    for (unsigned value : values) sum = sum * 31 + value;
    for (const auto &[key, name] : names) sum = sum * 7 + key + static_cast<unsigned>(name.size());
    std::printf("%u\n", sum);
}
