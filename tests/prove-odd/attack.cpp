// Programs of a second attack on proofs that a thread ends, in C++: containers changed in other ways, static and thread-local
// objects, guards on early ways out, members, atomics. The lines `////` are those of programs.c.
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exeunt.h>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <queue>
#include <semaphore>
#include <stack>
#include <thread>
#include <utility>
#include <vector>
#define LEAVE pthread_exit(0)
#define TWO int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
#define ONE int main() { std::thread a(t); a.detach(); LEAVE; }

//// runs inconclusive vector_is_resized
std::vector<int> v;
void t() { v.push_back(1); while (!v.empty()) { v.pop_back(); v.resize(1); } }
ONE
//// runs inconclusive vector_is_assigned
std::vector<int> v, w;
void t() { w.push_back(1); v.push_back(1); while (!v.empty()) { v.pop_back(); v = w; } }
ONE
//// runs inconclusive vector_insert
std::vector<int> v;
void t() { v.push_back(1); while (!v.empty()) { v.pop_back(); v.insert(v.begin(), 1); } }
ONE
//// ends holds vector_is_cleared
std::vector<int> v;
void t() { v.push_back(1); v.push_back(1); while (!v.empty()) v.clear(); }
ONE
//// ends holds deque_from_both_ends
std::deque<int> v;
void t() { v.push_back(1); v.push_front(1); while (!v.empty()) { v.pop_front(); if (!v.empty()) v.pop_back(); } }
ONE
//// runs violated deque_from_both_ends_grows
std::deque<int> v;
void t() { v.push_back(1); while (!v.empty()) { v.pop_front(); v.push_back(2); } }
ONE
//// runs violated emplaced
std::deque<int> v;
void t() { v.push_back(1); while (!v.empty()) { v.pop_front(); v.emplace_back(2); } }
ONE
//// runs violated container_behind_a_reference
std::deque<int> v;
static void fill(std::deque<int> &to) { to.push_back(1); }
void t() { v.push_back(1); while (!v.empty()) { v.pop_front(); fill(v); } }
ONE
//// ends holds container_is_a_copy
std::deque<int> v;
static void fill(std::deque<int> to) { to.push_back(1); }
void t() { v.push_back(1); while (!v.empty()) { v.pop_front(); fill(v); } }
ONE
//// runs violated static_object_with_a_guard
static int start() { return 2; }
static int &at() { static int n = start(); return n; }
void t() { while (at() > 0) --at(); }
void e() { for (;;) at() = 2; }
TWO
//// ends holds static_object_of_one_thread
static int start() { return 2; }
static int &at() { static int n = start(); return n; }
void t() { while (at() > 0) --at(); }
ONE
//// runs inconclusive global_begins_with_a_call
static int start() { return -1; }
int x = start();
void t() { while (x != 0) ; }
ONE
//// runs refused destructor_of_a_static_object
int x = 2;
struct D { int k = 1; ~D() { for (;;) x = 2; } };
void t() { while (x > 0) x--; }
void e() { static D d; d.k = 2; }
int main() { std::thread a(t), b(e); a.detach(); b.join(); return 0; }
//// runs refused destructor_of_a_thread_local_object
int x = 2;
struct D { int k = 1; ~D() { for (;;) x = 2; } };
thread_local D d;
void t() { while (x > 0) x--; }
void e() { d.k = 2; }
TWO
//// ends refused destructors_when_a_thread_leaves
int x = 2;
struct D { ~D() { for (;;) x = 2; } };
void t() { while (x > 0) x--; }
void e() { D d; pthread_exit(0); }
TWO
//// runs violated guard_when_a_thread_leaves
std::mutex m, n;
int x = 2;
void t() { std::lock_guard<std::mutex> hold(m); while (x > 0) x--; }
void f() { std::lock_guard<std::mutex> hold(n); pthread_exit(0); }
void e() { for (;;) { n.lock(); x = 2; n.unlock(); } }
TWO
//// runs violated destructor_of_a_local_writes
int x = 2;
struct D { ~D() { x = 2; } };
void t() { while (x > 0) { x--; D d; } }
ONE
//// runs violated destructor_on_an_early_way_out
std::mutex m;
int x = 2;
struct D { ~D() { x = 2; } };
static void step() { D d; if (x > 1) return; x = 0; }
void t() { while (x > 0) { std::lock_guard<std::mutex> hold(m); x--; step(); } }
ONE
//// ends holds guard_on_an_early_way_out
std::mutex m;
int x = 2;
static bool step() { std::lock_guard<std::mutex> hold(m); if (x <= 0) return false; x--; return true; }
void t() { while (step()) ; }
void e() { std::lock_guard<std::mutex> hold(m); if (x > 0) x--; }
TWO
//// runs violated guard_each_round
std::mutex m;
int x = 2;
static bool step() { std::lock_guard<std::mutex> hold(m); if (x <= 0) return false; x--; return true; }
void t() { while (step()) ; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
TWO
//// ends holds unique_pointer
std::unique_ptr<int> p;
void t() { while (*p > 0) --*p; }
int main() { p = std::make_unique<int>(2); std::thread a(t); a.detach(); LEAVE; }
//// ends holds member_of_an_object --thread 'Pool::drain'
struct Pool {
    std::mutex m; int n = 2;
    void drain() { std::lock_guard<std::mutex> hold(m); while (n > 0) n--; }
    void fill() { for (;;) { std::lock_guard<std::mutex> hold(m); n = 2; } }
};
int main() { static Pool p; std::thread a(&Pool::drain, &p), b(&Pool::fill, &p); a.detach(); b.detach(); LEAVE; }
//// runs violated member_without_a_lock --thread 'Pool::drain'
struct Pool {
    std::mutex m; int n = 2;
    void drain() { while (n > 0) n--; }
    void fill() { for (;;) { std::lock_guard<std::mutex> hold(m); n = 2; } }
};
int main() { static Pool p; std::thread a(&Pool::drain, &p), b(&Pool::fill, &p); a.detach(); b.detach(); LEAVE; }
//// ends holds iterators_and_ranges
std::array<int, 3> v{1, 2, 3};
void t() { for (int &n : v) n = 0; }
ONE
//// runs inconclusive recursive_mutex_unlocked_once
std::recursive_mutex m;
int x = 2;
void t() { m.lock(); m.lock(); m.unlock(); m.unlock(); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::recursive_mutex> hold(m); x = 2; } }
TWO
//// ends holds recursive_mutex_held
std::recursive_mutex m;
int x = 2;
void t() { std::lock_guard<std::recursive_mutex> a(m), b(m); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::recursive_mutex> hold(m); x = 2; } }
TWO
//// runs violated deferred_lock_is_not_taken
std::mutex m;
int x = 2;
void t() { std::unique_lock<std::mutex> hold(m, std::defer_lock); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
TWO
//// ends holds adopted_lock
std::mutex m;
int x = 2;
void t() { m.lock(); std::lock_guard<std::mutex> hold(m, std::adopt_lock); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
TWO
//// ends holds owns_lock_is_asked
std::mutex m;
int x = 2;
void t() { std::unique_lock<std::mutex> hold(m, std::try_to_lock); if (hold.owns_lock()) while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
TWO
//// runs inconclusive owns_lock_is_not_asked
std::mutex m;
int x = 2;
void t() { std::unique_lock<std::mutex> hold(m, std::try_to_lock); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
TWO
