// verdict: violated race
// reductions: tau
// exeunt: --races
#include <mutex>
#include <thread>

struct Config {
    int size = 3;
};

static Config *config;
static std::mutex m;

static Config *get() {
    if (!config) { //~ error
        std::lock_guard<std::mutex> lock(m);
        if (!config)
            config = new Config; //~ error
    }
    return config;
}

int main() {
    std::thread other([] { return get()->size; });
    get();
    other.join();
}
