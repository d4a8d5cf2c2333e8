#include "programs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

struct Matrix {
    std::vector<std::vector<int>> rows;
    explicit Matrix(int n) : rows(n, std::vector<int>(n)) {}
    Matrix operator*(const Matrix &o) const {
        int n = rows.size();
        Matrix product(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    product.rows[i][j] += rows[i][k] * o.rows[k][j];
        return product;
    }
};
PROGRAM(matrices) {
    Matrix m(3);
    for (int i = 0; i < 9; i++)
        m.rows[i / 3][i % 3] = i;
    Matrix p = m * m;
    for (auto &row : p.rows)
        for (int x : row)
            printf("%d ", x);
}
class Account {
    int balance = 0;

  public:
    Account &operator+=(int amount) {
        balance += amount;
        return *this;
    }
    operator int() const { return balance; }
};
PROGRAM(conversions) {
    Account a;
    (a += 5) += 6;
    printf("%d", a + 1);
}
struct Tree {
    int value;
    std::unique_ptr<Tree> left, right;
    explicit Tree(int value) : value(value) {}
    void insert(int n) {
        auto &side = n < value ? left : right;
        if (side)
            side->insert(n);
        else
            side = std::make_unique<Tree>(n);
    }
    void walk() const {
        if (left)
            left->walk();
        printf("%d ", value);
        if (right)
            right->walk();
    }
};
PROGRAM(trees) {
    Tree tree(50);
    for (int n : {30, 70, 20, 40, 60, 80, 10})
        tree.insert(n);
    tree.walk();
}
struct Node : std::enable_shared_from_this<Node> {
    std::weak_ptr<Node> parent;
    std::vector<std::shared_ptr<Node>> children;
    std::shared_ptr<Node> add() {
        auto child = std::make_shared<Node>();
        child->parent = shared_from_this();
        children.push_back(child);
        return child;
    }
};
PROGRAM(weak_parents) {
    auto root = std::make_shared<Node>();
    auto child = root->add();
    printf("%ld %ld ", root.use_count(), child.use_count());
    root.reset();
    printf("%d", child->parent.expired());
}
template <class T> class Stack {
    T *items = nullptr;
    size_t used = 0, room = 0;

  public:
    ~Stack() { delete[] items; }
    void push(T item) {
        if (used == room) {
            room = room ? 2 * room : 1;
            T *more = new T[room];
            std::move(items, items + used, more);
            delete[] items;
            items = more;
        }
        items[used++] = std::move(item);
    }
    T pop() { return std::move(items[--used]); }
    bool empty() const { return used == 0; }
};
PROGRAM(own_stack) {
    Stack<std::string> stack;
    for (const char *word : {"a", "bb", "a rather long text that is on the heap", "d"})
        stack.push(word);
    while (!stack.empty())
        printf("%s,", stack.pop().c_str());
}
struct Visitor;
struct Thing {
    virtual ~Thing() = default;
    virtual void accept(Visitor &) const = 0;
};
struct Number;
struct Sum;
struct Visitor {
    virtual ~Visitor() = default;
    virtual void number(const Number &) = 0;
    virtual void sum(const Sum &) = 0;
};
struct Number : Thing {
    int n;
    explicit Number(int n) : n(n) {}
    void accept(Visitor &v) const override { v.number(*this); }
};
struct Sum : Thing {
    std::unique_ptr<Thing> a, b;
    Sum(Thing *a, Thing *b) : a(a), b(b) {}
    void accept(Visitor &v) const override { v.sum(*this); }
};
struct Evaluate : Visitor {
    int result = 0;
    void number(const Number &n) override { result += n.n; }
    void sum(const Sum &s) override {
        s.a->accept(*this);
        s.b->accept(*this);
    }
};
PROGRAM(visitors) {
    Sum sum(new Number(1), new Sum(new Number(2), new Number(3)));
    Evaluate e;
    sum.accept(e);
    printf("%d", e.result);
}
template <class Derived> struct Countable {
    static inline int made = 0;
    Countable() { made++; }
};
struct X : Countable<X> {};
struct Y : Countable<Y> {};
PROGRAM(curious_templates) {
    X a, b;
    Y c;
    printf("%d %d", X::made, Y::made);
}
PROGRAM(move_only) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 5; i++)
        v.push_back(std::make_unique<int>(i));
    std::rotate(v.begin(), v.begin() + 2, v.end());
    for (auto &p : v)
        printf("%d ", *p);
}
PROGRAM(custom_deleter) {
    auto deleter = [](int *p) {
        printf("deletes %d ", *p);
        delete p;
    };
    std::unique_ptr<int, decltype(deleter)> p(new int(3), deleter);
    std::shared_ptr<int> q(new int(4), deleter);
}
struct Bits {
    unsigned a : 3, b : 5;
    int c : 4;
};
PROGRAM(bit_fields) {
    Bits bits{5, 17, -3};
    bits.a += 4;
    printf("%u %u %d %zu", bits.a, bits.b, bits.c, sizeof bits);
}
union Either {
    int i;
    float f;
};
PROGRAM(unions) {
    Either e;
    e.f = 1;
    printf("%x", e.i);
}
enum class Colour : unsigned char { red = 1, green = 4 };
PROGRAM(enums) { printf("%d %zu", static_cast<int>(Colour::green), sizeof(Colour)); }
PROGRAM(ranges_of_pairs) {
    std::vector<std::pair<std::string, int>> v{{"b", 2}, {"a", 2}, {"c", 1}};
    std::sort(v.begin(), v.end(), [](auto &x, auto &y) {
        return std::tie(x.second, x.first) < std::tie(y.second, y.first);
    });
    for (auto &[name, n] : v)
        printf("%s%d ", name.c_str(), n);
}
struct Base {
    Base() { called(); }
    virtual ~Base() { called(); }
    virtual void called() { printf("base "); }
};
struct Over : Base {
    Over() { called(); }
    ~Over() override { called(); }
    void called() override { printf("over "); }
};
PROGRAM(calls_in_constructors) { Over over; }
PROGRAM(atomics_alone) {
    std::atomic<int> a{1};
    int expected = 2;
    printf("%d %d %d %d", a.fetch_add(4), a.exchange(9), a.compare_exchange_strong(expected, 3), expected);
}
PROGRAM(mutexes_alone) {
    std::mutex m;
    std::recursive_mutex r;
    std::scoped_lock both(m, r);
    std::unique_lock<std::mutex> other(m, std::defer_lock);
    printf("%d %d", other.owns_lock(), r.try_lock());
    r.unlock();
}
PROGRAM(call_once_alone) {
    std::once_flag flag;
    int calls = 0;
    for (int i = 0; i < 3; i++)
        std::call_once(flag, [&] { calls++; });
    printf("%d", calls);
}
struct Global {
    const char *name;
    explicit Global(const char *name) : name(name) {}
    ~Global() { printf("end of %s\n", name); }
};
static Global first("first"), second("second");
PROGRAM(globals) { printf("%s %s", first.name, second.name); }
PROGRAM(initializer_lists) {
    std::map<std::string, std::vector<int>> m{{"odd", {1, 3}}, {"even", {2, 4, 6}}};
    printf("%zu %d", m["even"].size(), std::accumulate(m["odd"].begin(), m["odd"].end(), 0));
}
PROGRAM(user_literals) {
    using namespace std::string_literals;
    auto s = "a\0b"s;
    printf("%zu", s.size());
}
MAIN
