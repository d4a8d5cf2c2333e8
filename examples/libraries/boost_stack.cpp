// boost::lockfree::stack (package libboost-dev): two threads push, one pops.
// BUG: the item that is popped is expected to be the last one pushed by this thread.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::stack<int, boost::lockfree::capacity<2>> stack;

int main() {
    std::thread other([] { stack.push(1); });
    stack.push(2);
    int first = 0, second = 0;
#ifdef BUG
    stack.pop(first);
    assert(first == 2);
    other.join();
#else
    other.join();
    assert(stack.pop(first) && stack.pop(second) && first + second == 3);
#endif
}
