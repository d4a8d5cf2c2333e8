// Threads, conditions and one-time calls of the C++ library, on pthreads.
//
// The headers declare these members and the shared library defines them; here
// they are defined in terms of what the machine knows. Compiled together with
// a program that uses one of them, against the same headers.

#include <condition_variable>
#include <mutex>
#include <thread>

#include <errno.h>
#include <pthread.h>

// ---- std::thread -------------------------------------------------------------

std::thread::_State::~_State() = default;

static void *std_thread(void *state) {
    std::thread::_State_ptr own(static_cast<std::thread::_State *>(state));
    own->_M_run();
    return nullptr;
}

void std::thread::_M_start_thread(_State_ptr state, void (*)()) {
    int error = pthread_create(&_M_id._M_thread, nullptr, std_thread, state.get());
    if (error)
        std::__throw_system_error(error);
    state.release();
}

void std::thread::join() {
    int error = _M_id == id() ? EINVAL : pthread_join(_M_id._M_thread, nullptr);
    if (error)
        std::__throw_system_error(error);
    _M_id = id();
}

void std::thread::detach() {
    int error = _M_id == id() ? EINVAL : pthread_detach(_M_id._M_thread);
    if (error)
        std::__throw_system_error(error);
    _M_id = id();
}

// ---- std::condition_variable ---------------------------------------------------

std::condition_variable::condition_variable() noexcept = default;
std::condition_variable::~condition_variable() noexcept = default;

void std::condition_variable::wait(std::unique_lock<std::mutex> &lock) {
    _M_cond.wait(*lock.mutex());
}

void std::condition_variable::notify_one() noexcept { _M_cond.notify_one(); }

void std::condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

// ---- std::call_once --------------------------------------------------------------

namespace std {
__thread void *__once_callable;
__thread void (*__once_call)();
} // namespace std

extern "C" void __once_proxy() { std::__once_call(); }
