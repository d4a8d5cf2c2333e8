// verdict: holds
// states: 2034
// exeunt: --races
// Who comes by later reads the guard with an acquire, and knows what the
// initialisation wrote.
#include <thread>

struct Config {
    int value;
    Config() : value(3) {}
};

static Config &config() {
    static Config instance;
    return instance;
}

int main() {
    std::thread thread([] { config().value; });
    int value = config().value;
    thread.join();
    return value - 3;
}
