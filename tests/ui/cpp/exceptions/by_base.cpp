// verdict: holds
// states: 1938
// native
#include <cstdio>
#include <stdexcept>

struct Left {
    virtual ~Left() = default;
    int left = 1;
};
struct Right {
    virtual ~Right() = default;
    int right = 2;
};
struct Both : Left, Right {};
struct Top : virtual Left, virtual Right {};

int main() {
    try {
        throw Both();
    } catch (const Right &r) {
        printf("right %d\n", r.right);
    }
    try {
        throw Top();
    } catch (const Right &r) {
        printf("virtual right %d\n", r.right);
    }
    try {
        throw std::out_of_range("range");
    } catch (const std::runtime_error &) {
        puts("wrong");
    } catch (const std::logic_error &e) {
        printf("logic: %s\n", e.what());
    }
    static Both both;
    try {
        throw &both;
    } catch (Left *l) {
        printf("pointer to left %d\n", l->left);
    }
    try {
        throw nullptr;
    } catch (const char *p) {
        printf("null %d\n", p == nullptr);
    }
}
