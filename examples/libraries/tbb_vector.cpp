// tbb::concurrent_vector (package libtbb-dev): two threads append.
// BUG: an element is read that the size counts and nobody has written yet.
#include <cassert>
#include <cstdlib>
#include <tbb/concurrent_vector.h>
#include <thread>

namespace tbb::detail::r1 {
void *allocate_memory(std::size_t size) { return std::malloc(size); }
void deallocate_memory(void *p) { std::free(p); }
void *cache_aligned_allocate(std::size_t size) { return std::aligned_alloc(64, (size + 63) / 64 * 64); }
void cache_aligned_deallocate(void *p) { std::free(p); }
std::size_t cache_line_size() { return 64; }
void throw_exception(exception_id) { std::abort(); }
} // namespace tbb::detail::r1

int main() {
    tbb::concurrent_vector<int> vector;
    vector.reserve(2);
    std::thread other([&] { vector.push_back(1); });
#ifdef BUG
    if (vector.size() == 1)
        assert(vector[0] == 1);
#else
    vector.push_back(2);
#endif
    other.join();
#ifndef BUG
    assert(vector.size() == 2 && vector[0] + vector[1] == 3);
#endif
}
