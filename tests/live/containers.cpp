/* Containers of the C++ library and thread-local variables, and a deadlock in which they can be looked at. */
#include <array>
#include <atomic>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

struct point {
    int x, y;
};

std::vector<int> numbers = {1, 2, 3};
std::vector<int> empty;
std::vector<std::vector<short>> rows = {{1}, {}, {-2, 3}};
std::vector<long> many(20, 7);
std::string word = "short";
std::string sentence = "a sentence that is too long for the string itself";
std::string_view part = std::string_view(sentence).substr(2, 8);
std::deque<int> line;
std::list<short> chain = {5, -6};
std::forward_list<double> forward = {0.5, 1.5};
std::map<int, std::string> names = {{2, "two"}, {1, "one"}};
std::map<char, long> wide = {{1, 10}, {2, 20}};
std::set<unsigned> keys = {9, 4};
std::unordered_map<int, char> hashed = {{3, 30}};
std::unordered_map<std::string, int> words = {{"key", 8}};
std::unordered_set<long> bag = {77};
std::unique_ptr<point> owned(new point{3, 4});
std::unique_ptr<int> nobody;
std::shared_ptr<int> shared = std::make_shared<int>(12);
std::optional<int> some = 6, none;
std::array<int, 3> fixed = {7, 8, 9};
std::pair<int, short> pair = {1, 2};
std::queue<int> queue;
std::atomic<int> counted{5};
std::atomic<bool> ready{true};
std::mutex a, b;

thread_local int mine = 100;
thread_local std::vector<int> own;
int *where;
int seen[2];

void take(std::mutex &one, std::mutex &other, int number) {
    mine += number;
    own.push_back(number);
    std::vector<int> local(number, number);
    std::lock_guard<std::mutex> first(one);
    seen[number - 1] = mine;
    if (number == 2)
        where = &mine;
    std::lock_guard<std::mutex> second(other);
    local.clear();
}

int main() {
    for (int i = 0; i < 200; i++) {
        line.push_back(i);
        if (i >= 3)
            line.pop_front();
    }
    queue.push(11);
    std::thread one([] { take(a, b, 1); });
    std::thread two([] { take(b, a, 2); });
    one.join();
    two.join();
    return 0;
}
