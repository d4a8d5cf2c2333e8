/* `std::thread` as `exeunt prove` sees it: its interface is that of the library, and what it does is
 * said with POSIX threads, so that the prover sees which function is started with what. The library
 * does the same behind a virtual function that it keeps in compiled code. */
#ifndef EXEUNT_PROVE_STD_THREAD_H
#define EXEUNT_PROVE_STD_THREAD_H

#include <bits/c++config.h>

#if __cplusplus >= 201103L
#include <bits/functexcept.h>
#include <bits/functional_hash.h>
#include <bits/invoke.h>
#include <bits/refwrap.h>
#include <bits/unique_ptr.h>
#include <exception>
#include <ext/atomicity.h>
#include <iosfwd>
#include <pthread.h>
#include <sched.h>
#include <type_traits>
#include <utility>

namespace exeunt_prove {

/* Copies of a function and of its arguments. */
template <typename... Part> struct Parts {
    template <typename... Done> void enter(std::false_type, Done &&...done) {
        call(std::forward<Done>(done)...);
    }
    template <typename... Done> void enter(std::true_type, Done &&...done) {
        std::__invoke(std::forward<Done>(done)...);
    }
    template <typename Function, typename... Done> void call(Function &&function, Done &&...done) {
        std::forward<Function>(function)(std::forward<Done>(done)...);
    }
};

template <typename First, typename... Rest> struct Parts<First, Rest...> {
    First first;
    Parts<Rest...> rest;

    template <typename From, typename... More>
    explicit Parts(From &&from, More &&...more)
        : first(std::forward<From>(from)), rest(std::forward<More>(more)...) {}

    template <typename How, typename... Done> void enter(How how, Done &&...done) {
        rest.enter(how, std::forward<Done>(done)..., std::move(first));
    }
};

/* What a new thread runs. */
template <typename Function, typename... Argument> struct Started {
    Parts<Function, Argument...> parts;

    template <typename... From> explicit Started(From &&...from)
        : parts(std::forward<From>(from)...) {}

    static void *run(void *self) {
        static_cast<Started *>(self)->parts.enter(
            std::integral_constant<bool, std::is_member_pointer<Function>::value>());
        return nullptr;
    }
};

} // namespace exeunt_prove

namespace std {

class thread {
public:
    using native_handle_type = pthread_t;

    class id {
        native_handle_type _M_thread;

    public:
        id() noexcept : _M_thread() {}
        explicit id(native_handle_type thread) : _M_thread(thread) {}

    private:
        friend class thread;
        friend struct hash<id>;
        friend bool operator==(id a, id b) noexcept { return a._M_thread == b._M_thread; }
#if __cpp_lib_three_way_comparison
        friend strong_ordering operator<=>(id a, id b) noexcept;
#else
        friend bool operator<(id a, id b) noexcept;
#endif
        template <class Char, class Traits>
        friend basic_ostream<Char, Traits> &operator<<(basic_ostream<Char, Traits> &out, id which);
    };

    thread() noexcept = default;

    template <typename Function, typename... Argument,
              typename = typename enable_if<
                  !is_same<typename decay<Function>::type, thread>::value>::type>
    explicit thread(Function &&function, Argument &&...argument) {
        using Begun = exeunt_prove::Started<typename decay<Function>::type,
                                            typename decay<Argument>::type...>;
        Begun *begun =
            new Begun(std::forward<Function>(function), std::forward<Argument>(argument)...);
        if (pthread_create(&_M_id._M_thread, nullptr, &Begun::run, begun) != 0)
            __throw_system_error(11);
    }

    ~thread() {
        if (joinable())
            std::terminate();
    }

    thread(const thread &) = delete;
    thread(thread &&other) noexcept { swap(other); }
    thread &operator=(const thread &) = delete;
    thread &operator=(thread &&other) noexcept {
        if (joinable())
            std::terminate();
        swap(other);
        return *this;
    }

    void swap(thread &other) noexcept {
        native_handle_type mine = _M_id._M_thread;
        _M_id._M_thread = other._M_id._M_thread;
        other._M_id._M_thread = mine;
    }
    bool joinable() const noexcept { return _M_id._M_thread != 0; }
    void join() {
        if (!joinable())
            __throw_system_error(22);
        pthread_join(_M_id._M_thread, nullptr);
        _M_id._M_thread = 0;
    }
    void detach() {
        if (!joinable())
            __throw_system_error(22);
        pthread_detach(_M_id._M_thread);
        _M_id._M_thread = 0;
    }
    id get_id() const noexcept { return _M_id; }
    native_handle_type native_handle() { return _M_id._M_thread; }
    static unsigned hardware_concurrency() noexcept { return 2; }

private:
    id _M_id;
};

inline void swap(thread &a, thread &b) noexcept { a.swap(b); }

template <> struct hash<thread::id> : public __hash_base<size_t, thread::id> {
    size_t operator()(const thread::id &which) const noexcept { return which._M_thread; }
};

namespace this_thread {
inline thread::id get_id() noexcept { return thread::id(pthread_self()); }
inline void yield() noexcept { sched_yield(); }
} // namespace this_thread

} // namespace std
#endif
#endif
