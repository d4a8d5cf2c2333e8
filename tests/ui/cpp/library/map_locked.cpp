// verdict: holds
// reductions: movers full
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex m;
static std::map<std::string, int> words;
static std::unordered_map<int, int> numbers;

static void add(const char *word, int n) {
    std::lock_guard<std::mutex> lock(m);
    words[word] += n;
    numbers[n]++;
}

int main() {
    std::thread other(add, "a", 1);
    add("b", 2);
    other.join();
    assert(words.size() == 2 && words["a"] == 1 && numbers[2] == 1);
}
