// verdict: holds
// reductions: movers full
#include <cassert>
#include <typeinfo>

struct Base {
    int value = 1;
    virtual ~Base() = default;
};
struct Left : virtual Base {
    int left() { return value += 1; }
};
struct Right : virtual Base {
    int right() { return value += 10; }
};
struct Both : Left, Right {};

int main() {
    Both both;
    Left *left = &both;
    Right *right = dynamic_cast<Right *>(left);
    assert(right && right->right() == 11 && both.left() == 12);
    Base *base = &both;
    assert(typeid(*base) == typeid(Both) && dynamic_cast<Both *>(base) == &both);
    Left alone;
    left = &alone;
    assert(!dynamic_cast<Right *>(left));
    int Base::*member = &Base::value;
    int (Left::*method)() = &Left::left;
    assert(both.*member == 12 && (both.*method)() == 13);
}
