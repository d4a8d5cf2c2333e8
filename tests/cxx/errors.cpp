#include "programs.h"

#include <bitset>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <regex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

template <class F> static void told(F f) {
    try {
        f();
        printf("nothing ");
    } catch (const std::exception &e) {
        printf("[%s] ", e.what());
    } catch (...) {
        printf("something ");
    }
}

PROGRAM(standard_types) {
    told([] { throw std::logic_error("logic"); });
    told([] { throw std::domain_error("domain"); });
    told([] { throw std::overflow_error("overflow"); });
    told([] { throw std::bad_alloc(); });
    told([] { throw std::exception(); });
    told([] { throw 1; });
}
PROGRAM(error_codes) {
    auto code = std::make_error_code(std::errc::invalid_argument);
    printf("%d %s %s", code.value(), code.category().name(), code.message().c_str());
}
PROGRAM(system_errors) { told([] { throw std::system_error(2, std::generic_category(), "open"); }); }
PROGRAM(future_errors) {
    told([] {
        std::promise<int> p;
        p.get_future();
        p.get_future();
    });
}
PROGRAM(bad_weak_pointer) { told([] { std::shared_ptr<int> p{std::weak_ptr<int>()}; }); }
PROGRAM(bitset_text) { told([] { std::bitset<4> b("12"); }); }
PROGRAM(bitset_index) { told([] { std::bitset<4>().set(9); }); }
PROGRAM(string_position) { told([] { std::string("ab").insert(5, "x"); }); }
PROGRAM(string_too_long) { told([] { std::string s(std::string().max_size() + 1, 'x'); }); }
PROGRAM(numbers_out_of_range) {
    told([] { std::stoi("99999999999"); });
    told([] { std::stod("1e999"); });
}
PROGRAM(bad_pattern) {
    try {
        std::regex("(");
    } catch (const std::regex_error &e) {
        printf("%d", e.code() == std::regex_constants::error_paren);
    }
}
PROGRAM(catch_order) {
    try {
        throw std::out_of_range("x");
    } catch (const std::out_of_range &) {
        printf("first");
    } catch (const std::logic_error &) {
        printf("second");
    }
}
struct Tracked {
    static int alive;
    int n;
    Tracked(int n) : n(n) { alive++; }
    Tracked(const Tracked &o) : n(o.n) { alive++; }
    ~Tracked() { alive--; }
};
int Tracked::alive;
PROGRAM(thrown_by_value) {
    try {
        throw Tracked(4);
    } catch (Tracked t) {
        printf("%d %d ", t.n, Tracked::alive);
    }
    printf("%d", Tracked::alive);
}
PROGRAM(changed_on_the_way) {
    try {
        try {
            throw Tracked(1);
        } catch (Tracked &t) {
            t.n++;
            throw;
        }
    } catch (Tracked &t) {
        printf("%d", t.n);
    }
}
PROGRAM(container_of_throwing) {
    struct Third {
        Tracked t{0};
        Third() = default;
        Third(const Third &) {
            if (Tracked::alive > 4)
                throw 1;
        }
    };
    try {
        std::vector<Third> v(2);
        std::vector<Third> w(v);
        std::vector<Third> x(w);
    } catch (int) {
        printf("caught ");
    }
    printf("%d", Tracked::alive);
}
PROGRAM(constructor_of_member) {
    struct Bad {
        Bad() { throw 2; }
    };
    struct Whole {
        Tracked before{1};
        Bad bad;
        Tracked after{2};
    };
    try {
        Whole whole;
    } catch (int) {
    }
    printf("%d", Tracked::alive);
}
PROGRAM(uncaught_count) {
    struct Look {
        ~Look() { printf("%d ", std::uncaught_exceptions()); }
    };
    try {
        Look look;
        throw 1;
    } catch (int) {
        Look look;
    }
    Look look;
}
PROGRAM(deep_recursion) {
    std::function<int(int)> down = [&](int n) -> int {
        Tracked t(n);
        if (n == 0)
            throw n;
        return down(n - 1);
    };
    try {
        down(50);
    } catch (int) {
    }
    printf("%d", Tracked::alive);
}
PROGRAM(pointer_to_exception) {
    std::exception_ptr kept;
    {
        try {
            throw Tracked(9);
        } catch (...) {
            kept = std::current_exception();
        }
    }
    printf("%d ", Tracked::alive);
    kept = nullptr;
    printf("%d", Tracked::alive);
}
PROGRAM(from_function_pointer) {
    void (*thrower)() = [] { throw std::string("text"); };
    try {
        thrower();
    } catch (const std::string &s) {
        printf("%s", s.c_str());
    }
}
PROGRAM(in_loop) {
    int caught = 0;
    for (int i = 0; i < 20; i++)
        try {
            if (i % 3 == 0)
                throw i;
        } catch (int) {
            if (i == 9)
                continue;
            caught++;
        }
    printf("%d", caught);
}
MAIN
