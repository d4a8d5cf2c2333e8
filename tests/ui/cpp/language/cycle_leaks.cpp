// verdict: violated leak
// reductions: movers full
// exeunt: --leaks
#include <memory>

struct Node {
    std::shared_ptr<Node> next;
};

int main() {
    auto a = std::make_shared<Node>(); //~ error
    a->next = std::make_shared<Node>();
    a->next->next = a;
}
