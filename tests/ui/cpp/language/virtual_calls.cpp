// verdict: holds
// states: 7797
// native
// Virtual calls, run-time types and casts across a diamond.
#include <cstdio>
#include <typeinfo>

struct Top {
    int top = 1;
    virtual ~Top() { std::puts("~Top"); }
    virtual int who() const { return 0; }
};
struct Left : virtual Top {
    int left = 2;
    int who() const override { return 1; }
};
struct Right : virtual Top {
    int right = 3;
};
struct Bottom : Left, Right {
    int bottom = 4;
    ~Bottom() override { std::puts("~Bottom"); }
    int who() const override { return 2; }
};
struct Plain : Top {};
struct Two : Plain {};
struct Hidden : private Two {
    Top *top() { return this; }
};
struct A {
    virtual ~A() {}
};
struct B1 : A {};
struct B2 : A {};
struct Twice : B1, B2 {};

static void look(Top *object) {
    std::printf("%d %d %d %d %d %d\n", object->who(), dynamic_cast<Left *>(object) != nullptr,
                dynamic_cast<Right *>(object) != nullptr,
                dynamic_cast<Bottom *>(object) != nullptr,
                dynamic_cast<Plain *>(object) != nullptr, dynamic_cast<Two *>(object) != nullptr);
}

int main() {
    Top *objects[] = {new Top, new Left, new Right, new Bottom, new Plain, new Two};
    for (Top *object : objects) {
        look(object);
        std::printf("%d\n", typeid(*object) == typeid(Bottom));
    }
    Right *right = dynamic_cast<Right *>(objects[3]);
    Left *across = dynamic_cast<Left *>(right);
    std::printf("%d %d %d\n", right->right, across->left, across->top);
    std::printf("%d\n", dynamic_cast<void *>(right) == dynamic_cast<Bottom *>(right));
    for (Top *object : objects)
        delete object;
    Hidden hidden;
    std::printf("%d\n", dynamic_cast<Two *>(hidden.top()) != nullptr);
    Twice twice;
    B1 *one = &twice;
    A *base = one;
    std::printf("%d %d %d\n", dynamic_cast<B1 *>(base) == one, dynamic_cast<B2 *>(base) != nullptr,
                dynamic_cast<Twice *>(base) == &twice);
}
