#include "programs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

PROGRAM(primes) {
    std::vector<bool> composite(60);
    for (int i = 2; i < 60; i++) {
        if (composite[i])
            continue;
        printf("%d ", i);
        for (int j = i * i; j < 60; j += i)
            composite[j] = true;
    }
}
PROGRAM(fibonacci) {
    std::map<int, long> known;
    std::function<long(int)> fib = [&](int n) -> long {
        if (n < 2)
            return n;
        if (auto at = known.find(n); at != known.end())
            return at->second;
        return known[n] = fib(n - 1) + fib(n - 2);
    };
    printf("%ld", fib(60));
}
PROGRAM(word_count) {
    std::istringstream in("the quick fox and the lazy dog and the cat");
    std::map<std::string, int> counts;
    for (std::string word; in >> word;)
        counts[word]++;
    for (auto &[word, n] : counts)
        printf("%s:%d ", word.c_str(), n);
}
PROGRAM(shortest_path) {
    std::map<char, std::map<char, int>> graph{
        {'a', {{'b', 4}, {'c', 1}}}, {'c', {{'b', 2}, {'d', 7}}}, {'b', {{'d', 1}}}};
    std::map<char, int> best{{'a', 0}};
    std::priority_queue<std::pair<int, char>> queue;
    queue.push({0, 'a'});
    while (!queue.empty()) {
        auto [far, at] = queue.top();
        queue.pop();
        for (auto [next, length] : graph[at]) {
            int there = length - far;
            if (!best.count(next) || there < best[next]) {
                best[next] = there;
                queue.push({-there, next});
            }
        }
    }
    for (auto [node, far] : best)
        printf("%c%d ", node, far);
}
PROGRAM(queens) {
    std::vector<int> columns;
    int solutions = 0;
    std::function<void(int)> place = [&](int n) {
        if (int(columns.size()) == n) {
            solutions++;
            return;
        }
        for (int c = 0; c < n; c++) {
            bool safe = true;
            for (int r = 0; r < int(columns.size()); r++)
                safe &= columns[r] != c && std::abs(columns[r] - c) != int(columns.size()) - r;
            if (!safe)
                continue;
            columns.push_back(c);
            place(n);
            columns.pop_back();
        }
    };
    place(5);
    printf("%d", solutions);
}
PROGRAM(roman) {
    int n = 1994;
    std::string text;
    for (auto [value, letters] : std::vector<std::pair<int, const char *>>{{1000, "M"},
             {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
             {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}})
        for (; n >= value; n -= value)
            text += letters;
    printf("%s", text.c_str());
}
PROGRAM(calculator) {
    std::istringstream in("3 4 + 2 * 7 -");
    std::vector<int> stack;
    for (std::string token; in >> token;) {
        if (isdigit(token[0])) {
            stack.push_back(std::stoi(token));
            continue;
        }
        int b = stack.back();
        stack.pop_back();
        int &a = stack.back();
        a = token == "+" ? a + b : token == "-" ? a - b : a * b;
    }
    printf("%d", stack.back());
}
PROGRAM(collatz) {
    int steps = 0;
    for (std::uint64_t n = 27; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
        steps++;
    printf("%d", steps);
}
PROGRAM(cache) {
    std::list<int> order;
    std::unordered_map<int, std::list<int>::iterator> where;
    for (int key : {1, 2, 3, 1, 4, 5, 1}) {
        if (auto at = where.find(key); at != where.end())
            order.erase(at->second);
        order.push_front(key);
        where[key] = order.begin();
        if (order.size() > 3) {
            where.erase(order.back());
            order.pop_back();
        }
    }
    for (int key : order)
        printf("%d ", key);
}
PROGRAM(permuted_sum) {
    std::vector<int> digits{1, 2, 3, 4};
    long sum = 0;
    do
        sum += digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
    while (std::next_permutation(digits.begin(), digits.end()));
    printf("%ld", sum);
}
PROGRAM(life) {
    std::set<std::pair<int, int>> alive{{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (int round = 0; round < 4; round++) {
        std::map<std::pair<int, int>, int> near;
        for (auto [x, y] : alive)
            for (int dx = -1; dx <= 1; dx++)
                for (int dy = -1; dy <= 1; dy++)
                    if (dx || dy)
                        near[{x + dx, y + dy}]++;
        std::set<std::pair<int, int>> next;
        for (auto [cell, n] : near)
            if (n == 3 || (n == 2 && alive.count(cell)))
                next.insert(cell);
        alive = next;
    }
    for (auto [x, y] : alive)
        printf("%d,%d ", x, y);
}
PROGRAM(hashes) {
    std::uint32_t hash = 2166136261u;
    for (char c : std::string("exeunt omnes"))
        hash = (hash ^ std::uint8_t(c)) * 16777619u;
    printf("%08x", hash);
}
PROGRAM(big_numbers) {
    std::vector<int> digits{1};
    for (int n = 2; n <= 25; n++) {
        int carry = 0;
        for (int &digit : digits) {
            carry += digit * n;
            digit = carry % 10;
            carry /= 10;
        }
        for (; carry; carry /= 10)
            digits.push_back(carry % 10);
    }
    for (auto at = digits.rbegin(); at != digits.rend(); ++at)
        printf("%d", *at);
}
PROGRAM(topological_order) {
    std::map<std::string, std::set<std::string>> needs{
        {"shoes", {"socks"}}, {"coat", {"shirt"}}, {"socks", {}}, {"shirt", {}}};
    while (!needs.empty()) {
        auto ready = std::find_if(needs.begin(), needs.end(), [](auto &n) { return n.second.empty(); });
        std::string name = ready->first;
        printf("%s ", name.c_str());
        needs.erase(ready);
        for (auto &[_, rest] : needs)
            rest.erase(name);
    }
}
PROGRAM(run_lengths) {
    std::string text = "aaabccdddd", packed;
    for (size_t i = 0; i < text.size();) {
        size_t j = text.find_first_not_of(text[i], i);
        j = std::min(j, text.size());
        packed += text[i] + std::to_string(j - i);
        i = j;
    }
    printf("%s", packed.c_str());
}
PROGRAM(caesar) {
    std::string text = "Exeunt";
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return std::isupper(c) ? char('A' + (c - 'A' + 13) % 26) : char('a' + (c - 'a' + 13) % 26);
    });
    printf("%s", text.c_str());
}
PROGRAM(knapsack) {
    std::vector<int> best(11);
    for (auto [weight, value] : {std::pair{5, 10}, {4, 40}, {6, 30}, {3, 50}})
        for (int room = 10; room >= weight; room--)
            best[room] = std::max(best[room], best[room - weight] + value);
    printf("%d", best[10]);
}
PROGRAM(levenshtein) {
    std::string a = "kitten", b = "sitting";
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); i++) {
        int corner = std::exchange(row[0], int(i));
        for (size_t j = 1; j <= b.size(); j++) {
            int change = corner + (a[i - 1] != b[j - 1]);
            corner = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
        }
    }
    printf("%d", row.back());
}
PROGRAM(text_table) {
    std::ostringstream out;
    std::copy_n(std::vector<int>{1, 2, 3}.begin(), 3, std::ostream_iterator<int>(out, "; "));
    printf("%s", out.str().c_str());
}
std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional(n / 2); }
PROGRAM(optional_chain) {
    int steps = 0;
    for (auto n = half(48); n; n = half(*n))
        steps++;
    printf("%d", steps);
}
PROGRAM(polynomials) {
    std::vector<int> p{1, 2}, q{3, 0, 1}, product(p.size() + q.size() - 1);
    for (size_t i = 0; i < p.size(); i++)
        for (size_t j = 0; j < q.size(); j++)
            product[i + j] += p[i] * q[j];
    for (int c : product)
        printf("%d ", c);
}
MAIN
