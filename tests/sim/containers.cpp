// What the simulator shows of objects of the C++ library.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

std::vector<int> numbers{1, 2, 3};
std::vector<int> many(20);
std::vector<int> empty;
std::string name = "hello";
std::vector<std::string> words{"a", "a text that is longer than what fits into the object"};
std::deque<int> jobs{4, 5};
std::list<int> chain{6, 7};
std::map<int, int> prices{{1, 10}, {2, 20}};
std::set<int> chosen{4, 3};
std::unique_ptr<int> owner = std::make_unique<int>(8);
std::shared_ptr<int> shared = std::make_shared<int>(9);
std::unique_ptr<int> nobody;
std::optional<int> some = 5;
std::optional<int> none;
std::atomic<int> counted{5};
std::atomic<bool> ready{true};
std::condition_variable changed;
std::mutex gate;

int main() {
    std::vector<std::vector<int>> local{{7}, {8, 9}};
    gate.lock();
    std::thread waiting([] { gate.lock(); });
    waiting.join();
    return local.size() - 2;
}
