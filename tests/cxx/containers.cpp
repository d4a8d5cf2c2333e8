#include "programs.h"

#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

PROGRAM(vector_grows) {
    std::vector<int> v;
    for (int i = 0; i < 20; i++)
        v.push_back(i * i);
    v.erase(v.begin() + 3, v.begin() + 6);
    v.insert(v.begin(), {7, 8, 9});
    for (int x : v)
        printf("%d ", x);
}
PROGRAM(vector_of_bool) {
    std::vector<bool> bits(70);
    bits[3] = bits[69] = true;
    bits.flip();
    int count = 0;
    for (bool bit : bits)
        count += bit;
    printf("%d", count);
}
PROGRAM(deque_both_ends) {
    std::deque<std::string> d;
    for (int i = 0; i < 40; i++) {
        d.push_back(std::to_string(i));
        d.push_front(std::to_string(-i));
    }
    printf("%s %s %zu", d.front().c_str(), d[41].c_str(), d.size());
}
PROGRAM(list_splice) {
    std::list<int> a{1, 2, 3}, b{9, 8};
    a.splice(std::next(a.begin()), b);
    a.sort();
    a.reverse();
    a.remove(8);
    for (int x : a)
        printf("%d ", x);
}
PROGRAM(forward_list_merge) {
    std::forward_list<int> a{1, 4, 7}, b{2, 3, 9};
    a.merge(b);
    for (int x : a)
        printf("%d ", x);
}
PROGRAM(map_order) {
    std::map<std::string, int> m{{"pear", 1}, {"apple", 2}, {"fig", 3}};
    m["date"] += 5;
    m.erase("fig");
    for (auto &[key, value] : m)
        printf("%s=%d ", key.c_str(), value);
    printf("%d", m.lower_bound("b")->second);
}
PROGRAM(map_many) {
    std::map<int, int> m;
    for (int i = 0; i < 60; i++)
        m[i * 37 % 61] = i;
    for (int i = 0; i < 60; i += 3)
        m.erase(i);
    int sum = 0;
    for (auto &[key, value] : m)
        sum = sum * 3 + key - value;
    printf("%zu %d", m.size(), sum);
}
PROGRAM(multimap_range) {
    std::multimap<int, char> m{{1, 'a'}, {2, 'b'}, {1, 'c'}};
    auto [from, to] = m.equal_range(1);
    for (; from != to; ++from)
        printf("%c", from->second);
}
PROGRAM(set_operations) {
    std::set<int, std::greater<int>> s{3, 1, 4, 1, 5, 9, 2, 6};
    s.insert(7);
    for (int x : s)
        printf("%d ", x);
    printf("%zu", s.count(1));
}
PROGRAM(unordered_map_counts) {
    std::unordered_map<std::string, int> counts;
    for (const char *word : {"to", "be", "or", "not", "to", "be"})
        counts[word]++;
    printf("%d %d %zu", counts["to"], counts["or"], counts.size());
}
PROGRAM(unordered_set_rehash) {
    std::unordered_set<int> s;
    for (int i = 0; i < 100; i++)
        s.insert(i % 50);
    printf("%zu %zu", s.size(), s.count(49));
}
PROGRAM(queues) {
    std::priority_queue<int> p;
    std::queue<int> q;
    std::stack<int> s;
    for (int x : {3, 8, 1, 5}) {
        p.push(x);
        q.push(x);
        s.push(x);
    }
    printf("%d %d %d", p.top(), q.front(), s.top());
}
PROGRAM(array_and_span) {
    std::array<int, 4> a{4, 3, 2, 1};
    std::span<int> s(a);
    int sum = 0;
    for (int x : s.subspan(1, 2))
        sum += x;
    printf("%d %zu", sum, s.size_bytes());
}
PROGRAM(nested) {
    std::map<int, std::vector<std::set<std::string>>> m;
    m[1].push_back({"x", "y"});
    m[1].push_back({});
    m[2];
    printf("%zu %zu %zu", m.size(), m[1].size(), m[1][0].size());
}
PROGRAM(move_and_swap) {
    std::vector<std::string> a{"one", "two"}, b;
    b = std::move(a);
    std::swap(b[0], b[1]);
    printf("%s %zu", b[0].c_str(), a.size());
}
PROGRAM(node_handles) {
    std::map<int, std::string> a{{1, "one"}}, b;
    auto node = a.extract(1);
    node.key() = 2;
    b.insert(std::move(node));
    printf("%zu %s", a.size(), b[2].c_str());
}
MAIN
