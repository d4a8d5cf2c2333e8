// The tests over synchronised structures of Boost.Thread: small clients in the manner of its own
// tests, one for each value of CASE. All of them are correct.
#define BOOST_THREAD_VERSION 4
#define BOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
#define BOOST_THREAD_PROVIDES_EXECUTORS
#include <boost/thread/lock_guard.hpp>
#include <cassert>
#include <thread>

template <class F, class G> static void together(F f, G g) {
    std::thread other(f);
    g();
    other.join();
}

#if CASE < 8
#include <boost/thread/sync_queue.hpp>
using Status = boost::concurrent::queue_op_status;
int main() {
    boost::concurrent::sync_queue<int> q;
    int sum = 0, got = 0;
#if CASE == 0 // one pushes, one pulls
    together([&] { q.push(1); }, [&] { sum = q.pull(); });
    assert(sum == 1 && q.empty());
#elif CASE == 1 // two push
    together([&] { q.push(1); }, [&] { q.push(2); });
    assert(q.size() == 2 && q.pull() + q.pull() == 3);
#elif CASE == 2 // two pull
    q.push(1);
    q.push(2);
    together([&] { got = q.pull(); }, [&] { sum = q.pull(); });
    assert(sum + got == 3 && q.empty());
#elif CASE == 3 // order
    together([&] { q.push(1); q.push(2); }, [&] { got = q.pull(); sum = q.pull(); });
    assert(got == 1 && sum == 2);
#elif CASE == 4 // closed while a thread pulls
    together([&] { q.close(); }, [&] { assert(q.wait_pull(got) == Status::closed); });
#elif CASE == 5 // try_pull never waits
    together([&] { q.push(1); }, [&] { if (q.try_pull(got) == Status::success) sum = got; });
    assert(sum == 0 || sum == 1);
#elif CASE == 6 // push on a queue that another closes
    together([&] { q.close(); },
             [&] { try { q.push(1); sum = 1; } catch (const boost::sync_queue_is_closed &) {} });
    assert(q.closed() && q.size() == (std::size_t)sum);
#elif CASE == 7 // two items through two threads
    together([&] { q.push(1); q.push(2); q.close(); },
             [&] { while (q.wait_pull(got) == Status::success) sum += got; });
    assert(sum == 3);
#endif
}
#elif CASE < 16
#include <boost/thread/sync_bounded_queue.hpp>
using Status = boost::concurrent::queue_op_status;
int main() {
    boost::concurrent::sync_bounded_queue<int> q(CASE == 9 ? 2 : 1);
    int sum = 0, got = 0;
#if CASE == 8
    together([&] { q.push_back(1); }, [&] { sum = q.pull_front(); });
    assert(sum == 1 && q.empty());
#elif CASE == 9
    together([&] { q.push_back(1); }, [&] { q.push_back(2); });
    assert(q.full() && q.pull_front() + q.pull_front() == 3);
#elif CASE == 10 // a producer waits for room
    together([&] { q.push_back(1); q.push_back(2); }, [&] { sum = q.pull_front() + q.pull_front(); });
    assert(sum == 3);
#elif CASE == 11 // closed while a thread pulls
    together([&] { q.close(); }, [&] { assert(q.wait_pull_front(got) == Status::closed); });
#elif CASE == 12 // closed while a thread pushes
    q.push_back(1);
    together([&] { q.close(); },
             [&] { try { q.push_back(2); assert(0); } catch (const boost::sync_queue_is_closed &) {} });
#elif CASE == 13 // try_push_back never waits
    q.push_back(1);
    together([&] { sum = q.pull_front(); },
             [&] { got = q.try_push_back(2) == Status::success; });
    assert(sum == 1 && q.size() == (std::size_t)got);
#elif CASE == 14 // nonblocking
    together([&] { got = q.nonblocking_push_back(1) == Status::success; },
             [&] { int item; sum = q.nonblocking_pull_front(item) == Status::success; });
    assert(sum <= got);
#elif CASE == 15
    together([&] { for (int i = 1; i <= 3; i++) q.push_back(i); q.close(); },
             [&] { while (q.wait_pull_front(got) == Status::success) sum += got; });
    assert(sum == 6);
#endif
}
#elif CASE < 21
#include <boost/thread/synchronized_value.hpp>
#include <string>
int main() {
    boost::synchronized_value<int> v(0), w(1);
    int seen = 0;
#if CASE == 16
    together([&] { ++*v.synchronize(); }, [&] { ++*v.synchronize(); });
    assert(*v == 2);
#elif CASE == 17
    together([&] { v = 5; }, [&] { seen = *v; });
    assert(seen == 0 || seen == 5);
#elif CASE == 18 // both orders
    together([&] { swap(v, w); }, [&] { swap(w, v); });
    assert(*v + *w == 1);
#elif CASE == 19
    together([&] { v = 2; }, [&] { seen = v == 2; });
    assert(*v == 2);
#elif CASE == 20
    together([&] { auto both = boost::synchronize(v, w); ++*std::get<0>(both); ++*std::get<1>(both); },
             [&] { auto both = boost::synchronize(w, v); seen = *std::get<0>(both) - *std::get<1>(both); });
    assert(seen == 1);
#endif
}
#elif CASE < 27
#include <boost/thread/locks.hpp>
#include <boost/thread/shared_mutex.hpp>
int main() {
    boost::shared_mutex m;
    int value = 0, seen = 0;
    using Shared = boost::shared_lock<boost::shared_mutex>;
    using Unique = boost::unique_lock<boost::shared_mutex>;
    using Upgrade = boost::upgrade_lock<boost::shared_mutex>;
#if CASE == 21
    together([&] { Unique lock(m); value++; }, [&] { Unique lock(m); value++; });
    assert(value == 2);
#elif CASE == 22
    together([&] { Shared lock(m); assert(value == 0); }, [&] { Shared lock(m); assert(value == 0); });
#elif CASE == 23
    together([&] { Unique lock(m); value++; value++; }, [&] { Shared lock(m); seen = value; });
    assert(seen == 0 || seen == 2);
#elif CASE == 24
    auto up = [&] {
        Upgrade lock(m);
        int old = value;
        boost::upgrade_to_unique_lock<boost::shared_mutex> unique(lock);
        value = old + 1;
    };
    together(up, up);
    assert(value == 2);
#elif CASE == 25
    together([&] { Upgrade lock(m); boost::upgrade_to_unique_lock<boost::shared_mutex> unique(lock); value = 1; },
             [&] { Shared lock(m); seen = value; });
    assert(seen <= 1 && value == 1);
#elif CASE == 26
    together([&] { Unique lock(m, boost::try_to_lock); if (lock) value++; },
             [&] { Shared lock(m, boost::try_to_lock); if (lock) seen = value; });
    assert(seen <= 1);
#endif
}
#elif CASE < 32
#include <boost/thread/barrier.hpp>
#include <boost/thread/latch.hpp>
#include <boost/thread/completion_latch.hpp>
int main() {
    int left = 0, right = 0;
#if CASE == 27
    boost::barrier b(2);
    together([&] { left = 1; b.wait(); assert(right); }, [&] { right = 1; b.wait(); assert(left); });
#elif CASE == 28 // again
    boost::barrier b(2);
    together([&] { b.wait(); left = 1; b.wait(); }, [&] { b.wait(); b.wait(); assert(left); });
#elif CASE == 29
    boost::latch l(1);
    together([&] { left = 1; l.count_down(); }, [&] { l.wait(); assert(left); });
#elif CASE == 30
    boost::latch l(2);
    together([&] { left = 1; l.count_down_and_wait(); assert(right); },
             [&] { right = 1; l.count_down_and_wait(); assert(left); });
#elif CASE == 31
    boost::latch l(1);
    together([&] { left = 1; l.count_down(); }, [&] { if (l.try_wait()) assert(left); });
#endif
    (void)left, (void)right;
}
#else
#include <boost/thread/executors/loop_executor.hpp>
int main() {
    boost::executors::loop_executor e;
    int ran = 0;
#if CASE == 32
    together([&] { e.submit([&] { ran++; }); e.close(); }, [&] { e.loop(); });
    assert(ran == 1);
#elif CASE == 33
    together([&] { e.submit([&] { ran++; }); e.submit([&] { ran++; }); e.close(); }, [&] { e.loop(); });
    assert(ran == 2);
#elif CASE == 34
    e.submit([&] { ran++; });
    together([&] { while (e.try_executing_one()) {} }, [&] { e.close(); });
    assert(ran == 1);
#endif
}
#endif
