// Odd programs with threads of C++, in the form of `programs.c`.
#include <atomic>
#include <condition_variable>
#include <exeunt.h>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#define LEAVE pthread_exit(0)
//// ends holds thread_of_a_function
std::mutex m;
int x = 2;
void t() { std::lock_guard<std::mutex> hold(m); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated guard_of_another_mutex
std::mutex m, n;
int x = 2;
void t() { std::lock_guard<std::mutex> hold(m); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(n); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated guard_ends_too_early
std::mutex m;
int x = 2;
void t() { { std::lock_guard<std::mutex> hold(m); } while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds unique_lock
std::mutex m;
int x = 2;
void t() { std::unique_lock<std::mutex> hold(m); while (x > 0) x--; }
void e() { for (;;) { std::unique_lock<std::mutex> hold(m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated unique_lock_is_released_early
std::mutex m;
int x = 2;
void t() { std::unique_lock<std::mutex> hold(m); hold.unlock(); while (x > 0) x--; }
void e() { for (;;) { std::unique_lock<std::mutex> hold(m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds scoped_lock_of_one
std::mutex m;
int x = 2;
void t() { std::scoped_lock hold(m); while (x > 0) x--; }
void e() { for (;;) { std::scoped_lock hold(m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds reference_as_argument
void t(int &n) { while (n > 0) n--; }
int main() { static int n = 3; std::thread a(t, std::ref(n)); a.detach(); LEAVE; }
//// runs violated two_references_to_one
void t(int &n) { while (n > 0) n--; }
void e(int &n) { for (;;) n = 2; }
int main() {
    int n = 3;
    std::thread a(t, std::ref(n)), b(e, std::ref(n));
    a.detach(); b.detach(); LEAVE;
}
//// ends holds references_to_two
void t(int &n) { while (n > 0) n--; }
void e(int &n) { for (;;) n = 2; }
int main() {
    int n = 3, k = 3;
    std::thread a(t, std::ref(n)), b(e, std::ref(k));
    a.detach(); b.detach(); LEAVE;
}
//// ends holds value_as_argument
int x = 2;
void t(int n) { for (int i = 0; i < n; i++) ; }
int main() { std::thread a(t, x); a.detach(); x = 100; LEAVE; }
//// ends holds lambda_with_a_reference --thread 'main::$_0'
int main() { int n = 3; std::thread a([&n] { while (n > 0) n--; }); a.detach(); LEAVE; }
//// runs violated two_lambdas_with_a_reference --thread 'main::$_0'
int main() {
    int n = 3;
    std::thread a([&] { while (n > 0) n--; }), b([&] { for (;;) n = 2; });
    a.detach(); b.detach(); LEAVE;
}
//// ends holds lambda_with_a_value --thread 'main::$_0'
int main() {
    int n = 3;
    std::thread a([n]() mutable { while (n > 0) n--; }), b([&n] { for (;;) n = 2; });
    a.detach(); b.detach(); LEAVE;
}
//// ends holds lambdas_with_a_lock --thread 'main::$_0'
int main() {
    std::mutex m;
    int n = 3;
    std::thread a([&] { std::lock_guard<std::mutex> hold(m); while (n > 0) n--; });
    std::thread b([&] { for (;;) { std::lock_guard<std::mutex> hold(m); n = 2; } });
    a.detach(); b.detach(); LEAVE;
}
//// ends holds atomic_counter --integers mathematical
std::atomic<int> x{3};
void t() { while (x.load() > 0) x.fetch_sub(1); }
int main() { std::thread a(t), b(t); a.detach(); b.detach(); LEAVE; }
//// runs violated atomic_flag
std::atomic<bool> stop{false};
void t() { while (!stop.load()) ; }
int main() { std::thread a(t); stop = true; a.detach(); LEAVE; }
//// ends holds joined
int x = 3;
void t() { while (x > 0) x--; }
int main() { std::thread a(t); a.join(); x = 5; LEAVE; }
//// ends holds function_object --thread Work
struct Work { int &n; void operator()() { while (n > 0) n--; } };
int main() { int n = 2; std::thread a(Work{n}); a.detach(); LEAVE; }
//// ends holds moved_thread
int x = 3;
void t() { while (x > 0) x--; }
int main() { std::thread a(t); std::thread b(std::move(a)); b.detach(); LEAVE; }
//// ends holds nothing_shared
void t() { for (int i = 0; i < 3; i++) ; }
int main() { std::thread a(t); a.detach(); LEAVE; }
//// runs refused destructor_of_a_global_object
struct D { ~D(); };
int x = 2;
D d;
D::~D() { for (;;) x = 2; }
void t() { while (x > 0) x--; }
int main() { std::thread a(t); a.detach(); return 0; }
//// ends holds destructor_that_nobody_notices
struct D { std::mutex m; ~D() {} };
int x = 2;
D d;
void t() { while (x > 0) x--; }
int main() { std::thread a(t); a.join(); return 0; }
//// runs refused destructor_behind_a_pointer_of_the_library
struct D { int k = 0; ~D(); };
int x = 2;
std::unique_ptr<D> d;
D::~D() { for (;;) x = 2; }
void t() { while (x > 0) x--; }
int main() { d.reset(new D); std::thread a(t); a.detach(); return 0; }
//// ends refused destructor_within_an_object_of_the_library
struct D { ~D(); };
int x = 2;
std::optional<D> d;
D::~D() { for (;;) x = 2; }
void t() { while (x > 0) x--; }
int main() { std::thread a(t); a.join(); return 0; }
//// ends holds scoped_lock_of_two
std::mutex m, n;
int x = 2;
void t() { std::scoped_lock hold(m, n); while (x > 0) x--; }
void e() { for (;;) { std::scoped_lock hold(n); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds scoped_lock_in_another_order
std::mutex m, n;
int x = 2;
void t() { std::scoped_lock hold(m, n); while (x > 0) x--; }
void e() { for (;;) { std::scoped_lock hold(n, m); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated scoped_lock_of_others
std::mutex m, n, k, l;
int x = 2;
void t() { std::scoped_lock hold(m, n); while (x > 0) x--; }
void e() { for (;;) { std::scoped_lock hold(k, l); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated scoped_lock_of_none
int x = 2;
void t() { std::scoped_lock<> hold; while (x > 0) x--; }
void e() { for (;;) { std::scoped_lock<> hold; x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds shared_lock_excludes_writers
std::shared_mutex s;
int x = 2;
void t() { std::shared_lock<std::shared_mutex> hold(s); while (x > 0) x--; }
void e() { for (;;) { std::unique_lock<std::shared_mutex> hold(s); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs refused shared_lock_of_both
std::shared_mutex s;
int x = 2;
void t() { std::shared_lock<std::shared_mutex> hold(s); while (x > 0) x--; }
void e() { for (;;) { std::shared_lock<std::shared_mutex> hold(s); x = 2; } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds call_once_is_over
std::once_flag f;
int x;
void t() { std::call_once(f, [] { x = 2; }); while (x > 0) x--; }
void e() { for (;;) std::call_once(f, [] { x = 2; }); }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs inconclusive call_once_of_ever_new_flags
int x = 2;
void t() { while (x > 0) x--; }
void e() { for (;;) { std::once_flag f; std::call_once(f, [] { x = 2; }); } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds jthread_of_a_function
std::mutex m;
int x = 2;
void t() { std::lock_guard<std::mutex> hold(m); while (x > 0) x--; }
void e() { for (;;) { std::lock_guard<std::mutex> hold(m); x = 2; } }
int main() { std::jthread a(t), b(e); }
//// runs violated jthread_without_a_lock
int x = 2;
void t() { while (x > 0) x--; }
void e() { for (;;) x = 2; }
int main() { std::jthread a(t), b(e); }
//// runs violated token_is_waited_for
void t(std::stop_token stop) { while (!stop.stop_requested()) ; }
int main() { std::jthread a(t); a.request_stop(); }
//// ends holds token_is_only_looked_at
int x = 3;
void t(std::stop_token stop) { while (x > 0 && !stop.stop_requested()) x--; }
int main() { std::jthread a(t); }
//// ends holds lock_of_two_mutexes
std::mutex m, n;
int x = 2;
void t() { std::lock(m, n); while (x > 0) x--; m.unlock(); n.unlock(); }
void e() { for (;;) { std::lock(n, m); x = 2; n.unlock(); m.unlock(); } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated lock_of_two_other_mutexes
std::mutex m, n, o, p;
int x = 2;
void t() { std::lock(m, n); while (x > 0) x--; m.unlock(); n.unlock(); }
void e() { for (;;) { std::lock(o, p); x = 2; o.unlock(); p.unlock(); } }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated condition_of_cxx_for_nothing
std::mutex m; std::condition_variable c; bool ready;
void t() { std::unique_lock<std::mutex> l(m); while (!ready) c.wait(l); }
void e() { for (;;) c.notify_one(); }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds condition_of_cxx
std::mutex m; std::condition_variable c; bool ready;
void t() { std::unique_lock<std::mutex> l(m); while (!ready) c.wait(l); }
void e() { { std::lock_guard<std::mutex> g(m); ready = true; } c.notify_one(); }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// ends holds condition_of_cxx_with_a_predicate
std::mutex m; std::condition_variable c; bool ready;
void t() { std::unique_lock<std::mutex> l(m); c.wait(l, [] { return ready; }); }
void e() { { std::lock_guard<std::mutex> g(m); ready = true; } c.notify_all(); }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
//// runs violated condition_of_any_lock_for_nothing
std::mutex m; std::condition_variable_any c; bool ready;
void t() { std::unique_lock<std::mutex> l(m); while (!ready) c.wait(l); }
void e() { for (;;) c.notify_one(); }
int main() { std::thread a(t), b(e); a.detach(); b.detach(); LEAVE; }
