// Containers of C++ by their sizes; std::mutex.
// verdict: holds
// options: --thread drain --env 'add*'
// verdict: holds
// options: --thread drain_list --env 'add*'
// verdict: violated
// options: --thread drain_in_pieces --env 'add*'
// verdict: holds
// options: --thread drain_in_pieces --env 'drain*'
#include <list>
#include <mutex>
#include <queue>
std::mutex m;
std::queue<int> queue;
std::list<int> items;

extern "C" void drain() {
    std::lock_guard<std::mutex> hold(m);
    while (!queue.empty())
        queue.pop();
}

extern "C" void drain_list() {
    m.lock();
    while (items.size() > 0)
        items.pop_front();
    m.unlock();
}

extern "C" void drain_in_pieces() {
    for (;;) {
        m.lock();
        if (queue.empty()) {
            m.unlock();
            break;
        }
        queue.pop();
        m.unlock();
    }
}

extern "C" void add() {
    m.lock();
    queue.push(1);
    items.push_back(2);
    m.unlock();
}
