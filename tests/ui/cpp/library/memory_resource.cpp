// verdict: holds
// reductions: movers full
#include <cassert>
#include <memory_resource>
#include <vector>

int main() {
    char room[256];
    std::pmr::monotonic_buffer_resource arena(room, sizeof room, std::pmr::null_memory_resource());
    std::pmr::vector<int> numbers(&arena);
    for (int i = 0; i < 4; i++)
        numbers.push_back(i);
    assert(reinterpret_cast<char *>(numbers.data()) >= room);
    assert(numbers.back() == 3);
}
