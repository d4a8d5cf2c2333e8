// tbb::concurrent_unordered_map (package libtbb-dev): insertions by two threads. What TBB leaves
// to its shared library is memory.
// BUG: the value is changed, which the map does not protect.
#include <cassert>
#include <cstdlib>
#include <tbb/concurrent_unordered_map.h>
#include <thread>

namespace tbb::detail::r1 {
void *allocate_memory(std::size_t size) { return std::malloc(size); }
void deallocate_memory(void *p) { std::free(p); }
void *cache_aligned_allocate(std::size_t size) { return std::aligned_alloc(64, (size + 63) / 64 * 64); }
void cache_aligned_deallocate(void *p) { std::free(p); }
void throw_exception(exception_id) { std::abort(); }
} // namespace tbb::detail::r1

int main() {
    tbb::concurrent_unordered_map<int, int> map;
    map.insert({0, 0});
    std::thread other([&] {
#ifdef BUG
        map[0]++;
#else
        map.insert({1, 1});
#endif
    });
#ifdef BUG
    map[0]++;
    other.join();
    assert(map[0] == 2);
#else
    map.insert({2, 2});
    other.join();
    assert(map.size() == 3 && map.count(1) && map.count(2));
#endif
}
