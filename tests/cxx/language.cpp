#include "programs.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <typeinfo>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
};
struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
    const char *name() const override { return "square"; }
};
struct Circle : Shape {
    double area() const override { return 3; }
};
PROGRAM(virtual_functions) {
    std::unique_ptr<Shape> shapes[] = {std::make_unique<Square>(2), std::make_unique<Circle>()};
    for (auto &shape : shapes)
        printf("%s %g ", shape->name(), shape->area());
}
struct A {
    int a = 1;
    virtual ~A() = default;
};
struct B : virtual A {
    int b = 2;
};
struct C : virtual A {
    int c = 3;
};
struct D : B, C {
    int d = 4;
};
PROGRAM(virtual_inheritance) {
    D d;
    A &a = d;
    C *c = dynamic_cast<C *>(&a);
    B *b = dynamic_cast<B *>(c);
    printf("%d %d %d %d", a.a, b->b, c->c, d.d);
}
PROGRAM(dynamic_cast_fails) {
    Square s(1);
    Shape &shape = s;
    printf("%d %d", dynamic_cast<Circle *>(&shape) == nullptr, dynamic_cast<Square *>(&shape) == &s);
}
PROGRAM(type_names) {
    Square s(1);
    Shape &shape = s;
    printf("%s %d", typeid(shape).name(), typeid(shape) == typeid(Square));
}
struct Member {
    int x = 5;
    int twice() const { return 2 * x; }
};
PROGRAM(member_pointers) {
    int Member::*field = &Member::x;
    int (Member::*method)() const = &Member::twice;
    Member m;
    m.*field = 6;
    printf("%d", (m.*method)());
}
PROGRAM(lambdas) {
    int n = 1;
    auto add = [&n](int k) { return n += k; };
    auto copy = [n]() mutable { return ++n; };
    add(4);
    printf("%d %d %d", n, copy(), copy());
}
PROGRAM(functions) {
    std::function<int(int)> fact = [&](int n) { return n < 2 ? 1 : n * fact(n - 1); };
    auto bound = std::bind(std::plus<int>(), std::placeholders::_1, 10);
    printf("%d %d", fact(6), bound(5));
}
struct Counted {
    static int alive;
    Counted() { alive++; }
    Counted(const Counted &) { alive++; }
    ~Counted() { alive--; }
};
int Counted::alive;
PROGRAM(copies) {
    {
        Counted one, two = one;
        Counted *three = new Counted[3];
        printf("%d ", Counted::alive);
        delete[] three;
    }
    printf("%d", Counted::alive);
}
PROGRAM(shared_pointers) {
    auto p = std::make_shared<int>(3);
    std::weak_ptr<int> w = p;
    auto q = p;
    printf("%ld ", p.use_count());
    p.reset();
    q.reset();
    printf("%d", w.expired());
}
template <class... T> int sum(T... values) { return (values + ... + 0); }
PROGRAM(folds) { printf("%d %d", sum(1, 2, 3), sum()); }
template <int N> struct Factorial {
    static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
    static constexpr int value = 1;
};
PROGRAM(compile_time) { printf("%d", Factorial<7>::value); }
PROGRAM(structured_bindings) {
    auto [a, b, c] = std::make_tuple(1, 2.5, 'x');
    printf("%d %g %c", a, b, c);
}
struct Ordered {
    int a, b;
    auto operator<=>(const Ordered &) const = default;
};
PROGRAM(spaceship) { printf("%d %d", Ordered{1, 2} < Ordered{1, 3}, Ordered{1, 2} == Ordered{1, 2}); }
struct Aligned {
    alignas(64) char data[64];
};
PROGRAM(aligned_new) {
    auto *p = new Aligned;
    printf("%d", reinterpret_cast<unsigned long>(p) % 64 == 0);
    delete p;
}
struct Own {
    static int calls;
    static void *operator new(size_t size) {
        calls++;
        return ::operator new(size);
    }
    static void operator delete(void *p) {
        calls++;
        ::operator delete(p);
    }
};
int Own::calls;
PROGRAM(overloaded_new) {
    delete new Own;
    printf("%d", Own::calls);
}
PROGRAM(placement_new) {
    alignas(Square) char room[sizeof(Square)];
    Square *s = new (room) Square(3);
    printf("%g", s->area());
    s->~Square();
}
int once() {
    static int value = (printf("init "), 4);
    return value++;
}
PROGRAM(static_local) {
    once();
    printf("%d", once());
}
PROGRAM(goto_and_switch) {
    int n = 0;
again:
    switch (n++) {
    case 0:
    case 1:
        goto again;
    default:
        printf("%d", n);
    }
}
MAIN
