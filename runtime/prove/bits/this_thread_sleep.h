/* Sleeping as `exeunt prove` sees it: it takes time, and that is all. The library sleeps again
 * for as long as signals wake it. */
#ifndef EXEUNT_PROVE_THIS_THREAD_SLEEP_H
#define EXEUNT_PROVE_THIS_THREAD_SLEEP_H

#include <bits/c++config.h>

#if __cplusplus >= 201103L
#include <bits/chrono.h>
#include <unistd.h>

namespace std {
namespace this_thread {
template <typename Count, typename Period>
inline void sleep_for(const chrono::duration<Count, Period> &) {
    ::usleep(1);
}
template <typename Clock, typename Duration>
inline void sleep_until(const chrono::time_point<Clock, Duration> &) {
    ::usleep(1);
}
} // namespace this_thread
} // namespace std
#endif
#endif
