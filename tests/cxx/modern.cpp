#include "programs.h"

#include <algorithm>
#include <any>
#include <bit>
#include <charconv>
#include <chrono>
#include <compare>
#include <concepts>
#include <coroutine>
#include <expected>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <span>
#include <spanstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

PROGRAM(expected_value) {
    auto half = [](int n) -> std::expected<int, std::string> {
        if (n % 2)
            return std::unexpected("odd");
        return n / 2;
    };
    printf("%d %s %d", half(8).value(), half(7).error().c_str(), half(7).value_or(-1));
    try {
        half(3).value();
    } catch (const std::bad_expected_access<std::string> &e) {
        printf(" caught %s", e.error().c_str());
    }
}

PROGRAM(three_way_comparison) {
    struct Version {
        int major, minor;
        auto operator<=>(const Version &) const = default;
    };
    Version a{1, 2}, b{1, 3};
    printf("%d %d %d %d", a < b, a == b, a >= b, (a <=> a) == 0);
    printf(" %d", (0.0 / 0.0 <=> 1.0) == std::partial_ordering::unordered);
}

PROGRAM(views) {
    std::vector<int> v(10);
    std::iota(v.begin(), v.end(), 1);
    auto odd = [](int n) { return n % 2; };
    for (int n : v | std::views::filter(odd) | std::views::transform([](int n) { return n * n; }) |
                     std::views::drop(1) | std::views::take(3))
        printf("%d ", n);
    std::ranges::sort(v, std::greater{});
    printf("%d %d", v.front(), *std::ranges::find_if(v, [](int n) { return n < 5; }));
}

PROGRAM(spans) {
    int array[] = {1, 2, 3, 4, 5};
    std::span<int> all(array), last = all.last(2);
    last[0] = 40;
    printf("%zu %d %d ", all.size(), array[3], all.subspan(1, 2)[1]);
    printf("%zu", std::as_bytes(last).size());
}

PROGRAM(memory_resources) {
    char buffer[256];
    std::pmr::monotonic_buffer_resource arena(buffer, sizeof buffer, std::pmr::null_memory_resource());
    std::pmr::vector<int> v({3, 1, 2}, &arena);
    v.push_back(9);
    std::pmr::string s("a string that is too long for the object itself", &arena);
    bool inside = (char *)v.data() >= buffer && (char *)v.data() < buffer + sizeof buffer;
    printf("%d %zu %zu ", inside, v.size(), s.size());
    try {
        std::pmr::vector<int> large(1000, &arena);
    } catch (const std::bad_alloc &) {
        printf("no more");
    }
    std::pmr::unsynchronized_pool_resource pool;
    void *p = pool.allocate(24);
    pool.deallocate(p, 24);
    printf(" %d", pool.allocate(24) == p);
}

struct Sequence {
    struct promise_type {
        int value;
        Sequence get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int n) {
            value = n;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
    ~Sequence() { handle.destroy(); }
};
static Sequence fibonacci(int most) {
    for (int a = 0, b = 1; a < most; b += a, a = b - a)
        co_yield a;
    throw std::string("enough");
}
PROGRAM(coroutines) {
    Sequence numbers = fibonacci(30);
    try {
        for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
            printf("%d ", numbers.handle.promise().value);
    } catch (const std::string &text) {
        printf("%s", text.c_str());
    }
}

PROGRAM(numbers_as_text) {
    char text[64];
    auto end = std::to_chars(text, text + sizeof text, 3.14159).ptr;
    printf("%.*s ", int(end - text), text);
    end = std::to_chars(text, text + sizeof text, 255, 16).ptr;
    printf("%.*s ", int(end - text), text);
    int n = 0;
    std::string_view from = "-42 rest";
    auto result = std::from_chars(from.data(), from.data() + from.size(), n);
    printf("%d %ld ", n, long(result.ptr - from.data()));
    result = std::from_chars("99999999999", "99999999999" + 11, n);
    printf("%d", result.ec == std::errc::result_out_of_range);
}

PROGRAM(random_numbers) {
    std::mt19937 engine(7);
    std::uniform_int_distribution<int> die(1, 6);
    for (int i = 0; i < 6; i++)
        printf("%d", die(engine));
    std::minstd_rand small(3);
    std::vector<int> cards{1, 2, 3, 4, 5};
    std::shuffle(cards.begin(), cards.end(), small);
    for (int card : cards)
        printf(" %d", card);
    std::normal_distribution<double> normal(10, 2);
    printf(" %.6f", normal(engine));
}

PROGRAM(durations) {
    using namespace std::chrono_literals;
    auto time = 90min + 30s;
    printf("%ld %ld ", long(std::chrono::duration_cast<std::chrono::hours>(time).count()),
           long(std::chrono::duration_cast<std::chrono::seconds>(time).count()));
    std::chrono::sys_days day = std::chrono::year{2024} / 2 / 29;
    std::chrono::year_month_day next{day + std::chrono::days{1}};
    printf("%d-%u-%u", int(next.year()), unsigned(next.month()), unsigned(next.day()));
}

PROGRAM(bits) {
    printf("%d %d %u %u %d ", std::popcount(0xf0u), std::countl_zero(1u), std::bit_ceil(17u),
           std::rotl(0x80000001u, 1), std::has_single_bit(64u));
    printf("%08x", std::bit_cast<unsigned>(1.5f));
}

template <std::integral T> static const char *kind(T) { return "integral"; }
template <std::floating_point T> static const char *kind(T) { return "floating"; }
PROGRAM(constraints) {
    printf("%s %s %s", kind(1), kind('a'), kind(2.5));
    static_assert(std::same_as<decltype(1 + 1L), long>);
}

struct Machine {
    int state = 1;
    int twice(int n) { return 2 * n * state; }
    virtual int thrice(int n) { return 3 * n * state; }
    virtual ~Machine() = default;
};
struct Other : Machine {
    int thrice(int n) override { return 30 * n; }
};
PROGRAM(member_pointers) {
    int (Machine::*f)(int) = &Machine::twice;
    int Machine::*data = &Machine::state;
    Machine machine;
    Other other;
    machine.*data = 5;
    printf("%d ", (machine.*f)(2));
    f = &Machine::thrice;
    printf("%d %d ", (machine.*f)(2), (other.*f)(2));
    printf("%d", std::invoke(&Machine::twice, &machine, 4));
}

PROGRAM(any_and_variant) {
    std::any thing = 5;
    printf("%d ", std::any_cast<int>(thing));
    thing = std::string("text");
    printf("%s ", std::any_cast<std::string &>(thing).c_str());
    try {
        std::any_cast<int>(thing);
    } catch (const std::bad_any_cast &) {
        printf("bad ");
    }
    std::variant<int, std::string, double> v = 2.5;
    printf("%zu ", v.index());
    auto size = [](const auto &x) -> size_t { return sizeof x; };
    printf("%d ", std::visit(size, v) == sizeof(double));
    try {
        std::get<int>(v);
    } catch (const std::bad_variant_access &) {
        printf("bad");
    }
}

struct alignas(64) Line {
    int n;
};
PROGRAM(aligned_and_placed) {
    auto line = std::make_unique<Line>();
    printf("%d ", reinterpret_cast<unsigned long>(line.get()) % 64 == 0);
    alignas(std::string) unsigned char room[sizeof(std::string)];
    auto text = new (room) std::string("placed");
    printf("%s ", text->c_str());
    std::destroy_at(text);
    auto nothing = new (std::nothrow) int(3);
    printf("%d", *nothing);
    delete nothing;
}

PROGRAM(stream_on_a_span) {
    char room[16] = {};
    std::ospanstream out{std::span<char>(room)};
    out << "n=" << 42;
    printf("%s %zu", room, out.span().size());
}

PROGRAM(heterogeneous_lookup) {
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
    };
    std::unordered_map<std::string, int, Hash, std::equal_to<>> map{{"one", 1}, {"two", 2}};
    printf("%d %d ", map.find(std::string_view("two"))->second, map.contains("three"));
    printf("%zu", std::erase_if(map, [](auto &entry) { return entry.second == 1; }));
}

MAIN
