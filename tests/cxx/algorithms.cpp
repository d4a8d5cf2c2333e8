#include "programs.h"

#include <algorithm>
#include <any>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <ratio>
#include <regex>
#include <string>
#include <variant>
#include <vector>

static void show(const std::vector<int> &v) {
    for (int x : v)
        printf("%d ", x);
}
static std::vector<int> some() { return {5, 3, 9, 1, 7, 3, 8}; }

PROGRAM(sort) {
    auto v = some();
    std::sort(v.begin(), v.end());
    show(v);
}
PROGRAM(sort_many) {
    std::vector<int> v(100);
    for (int i = 0; i < 100; i++)
        v[i] = i * 7919 % 101;
    std::sort(v.begin(), v.end(), std::greater<int>());
    printf("%d %d %d", v[0], v[50], std::is_sorted(v.rbegin(), v.rend()));
}
PROGRAM(stable_sort) {
    std::vector<std::string> v{"bb", "a", "cc", "b", "aa"};
    std::stable_sort(v.begin(), v.end(), [](auto &x, auto &y) { return x.size() < y.size(); });
    for (auto &s : v)
        printf("%s ", s.c_str());
}
PROGRAM(partition) {
    auto v = some();
    auto at = std::stable_partition(v.begin(), v.end(), [](int x) { return x % 2 == 0; });
    printf("%d: ", int(at - v.begin()));
    show(v);
}
PROGRAM(unique_and_remove) {
    std::vector<int> v{1, 1, 2, 3, 3, 3, 1};
    v.erase(std::unique(v.begin(), v.end()), v.end());
    v.erase(std::remove(v.begin(), v.end(), 1), v.end());
    show(v);
}
PROGRAM(heap) {
    auto v = some();
    std::make_heap(v.begin(), v.end());
    std::pop_heap(v.begin(), v.end());
    printf("%d ", v.back());
    std::sort_heap(v.begin(), v.end() - 1);
    show(v);
}
PROGRAM(search) {
    auto v = some();
    std::sort(v.begin(), v.end());
    printf("%d %d", std::binary_search(v.begin(), v.end(), 7),
           int(std::lower_bound(v.begin(), v.end(), 4) - v.begin()));
}
PROGRAM(sums) {
    auto v = some();
    std::vector<int> prefix;
    std::partial_sum(v.begin(), v.end(), std::back_inserter(prefix));
    printf("%d %d ", std::accumulate(v.begin(), v.end(), 0), std::reduce(v.begin(), v.end()));
    show(prefix);
}
PROGRAM(transforms) {
    auto v = some();
    std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * x; });
    std::rotate(v.begin(), v.begin() + 2, v.end());
    std::reverse(v.begin(), v.end());
    show(v);
}
PROGRAM(permutations) {
    std::string s = "abc";
    do
        printf("%s ", s.c_str());
    while (std::next_permutation(s.begin(), s.end()));
}
PROGRAM(set_algorithms) {
    std::vector<int> a{1, 3, 5, 7}, b{3, 4, 5}, c;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
    show(c);
}
PROGRAM(minmax) {
    auto v = some();
    auto [low, high] = std::minmax_element(v.begin(), v.end());
    printf("%d %d %d %d", *low, *high, std::clamp(15, 0, 10), std::gcd(12, 18));
}
PROGRAM(ranges_views) {
    auto v = some();
    for (int x : v | std::views::filter([](int x) { return x > 3; }) | std::views::take(3))
        printf("%d ", x);
    std::ranges::sort(v);
    show(v);
}
PROGRAM(optional_values) {
    std::optional<int> none, some = 4;
    printf("%d %d %d", none.value_or(7), *some, none.has_value());
}
PROGRAM(variants) {
    std::variant<int, std::string> v = "text";
    printf("%zu %s ", v.index(), std::get<std::string>(v).c_str());
    v = 3;
    std::visit([](auto &x) { printf("%zu", sizeof(x)); }, v);
}
PROGRAM(anything) {
    std::any a = 1.5;
    printf("%g ", std::any_cast<double>(a));
    a = std::string("now text");
    printf("%s", std::any_cast<std::string &>(a).c_str());
}
PROGRAM(random_fixed) {
    std::mt19937 engine(42);
    std::minstd_rand small(1);
    std::uniform_int_distribution<int> die(1, 6);
    printf("%u %u %d", unsigned(engine()), unsigned(small()), die(engine));
}
PROGRAM(shuffle) {
    std::vector<int> v(8);
    std::iota(v.begin(), v.end(), 0);
    std::shuffle(v.begin(), v.end(), std::mt19937(1));
    show(v);
}
PROGRAM(durations) {
    using namespace std::chrono;
    auto d = hours(1) + minutes(2) + 3s;
    printf("%ld %ld", long(duration_cast<seconds>(d).count()), long(floor<minutes>(d).count()));
}
PROGRAM(memory_resources) {
    char room[256];
    std::pmr::monotonic_buffer_resource resource(room, sizeof room);
    std::pmr::vector<int> v(&resource);
    for (int i = 0; i < 10; i++)
        v.push_back(i);
    printf("%d", reinterpret_cast<char *>(v.data()) >= room);
}
PROGRAM(mathematics) {
    printf("%.6f %.6f %.6f %g", std::sqrt(2.0), std::sin(1.0), std::pow(2.0, 0.5), std::hypot(3, 4));
}
PROGRAM(regular_expression) {
    std::smatch found;
    std::string text = "key = 42";
    std::regex pattern("(\\w+)\\s*=\\s*(\\d+)");
    if (std::regex_match(text, found, pattern))
        printf("%s %s", found[1].str().c_str(), found[2].str().c_str());
}
PROGRAM(numeric_ratio) {
    using r = std::ratio_add<std::ratio<1, 3>, std::ratio<1, 6>>;
    printf("%ld/%ld", long(r::num), long(r::den));
}
MAIN
