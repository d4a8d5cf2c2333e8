// Clocks of the C++ library. They stand still, as all clocks do here, and a
// program that asks one is never said to hold.

#include <chrono>

#include <time.h>

template <class Clock> static typename Clock::time_point now_on(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return typename Clock::time_point(std::chrono::seconds(time.tv_sec) +
                                      std::chrono::nanoseconds(time.tv_nsec));
}

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
    return now_on<steady_clock>(CLOCK_MONOTONIC);
}

std::chrono::system_clock::time_point std::chrono::system_clock::now() noexcept {
    return now_on<system_clock>(CLOCK_REALTIME);
}
