// verdict: holds
// states: 3241
// native
// Two threads come by at once: one initialises, the other waits for it.
#include <cstdio>
#include <thread>

struct Config {
    int value;
    Config() : value(0) {
        for (int i = 0; i < 3; i++)
            value += i;
    }
};

static Config &config() {
    static Config instance;
    return instance;
}

int main() {
    int first = 0;
    std::thread thread([&] { first = config().value; });
    int second = config().value;
    thread.join();
    std::printf("%d %d\n", first, second);
    return first != second;
}
