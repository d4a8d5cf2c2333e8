// verdict: violated exception
// reductions: movers full
#include <typeinfo>

struct Shape {
    virtual ~Shape() = default;
};
struct Circle : Shape {
    int radius = 1;
};
struct Square : Shape {};

int main() {
    Square square;
    Shape &shape = square;
    return dynamic_cast<Circle &>(shape).radius; //~ error
}
