//! Projects of others, built by their own builds.

use super::Build;

const QUEUE_TEST: &str = r#"
#include <gtest/gtest.h>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Queue {
    std::mutex m;
    std::condition_variable filled;
    std::queue<int> items;
  public:
    void push(int item) {
        std::lock_guard<std::mutex> lock(m);
        items.push(item);
        filled.notify_one();
    }
    int pop() {
        std::unique_lock<std::mutex> lock(m);
        filled.wait(lock, [this] { return !items.empty(); });
        int item = items.front();
        items.pop();
        return item;
    }
    bool empty() { return items.empty(); }
};

class QueueTest : public ::testing::Test {
  protected:
    Queue queue;
    void TearDown() override { EXPECT_TRUE(queue.empty()); }
};

TEST_F(QueueTest, PassesItems) {
    std::thread producer([this] { queue.push(7); });
    EXPECT_EQ(queue.pop(), 7);
    producer.join();
}

TEST_F(QueueTest, KeepsAnOrderThatNobodyPromised) {
    std::thread producer([this] { queue.push(1); });
    queue.push(2);
    int first = queue.pop(), second = queue.pop();
    producer.join();
    EXPECT_EQ(first, 1) << "then " << second;
}

TEST(Loose, WaitsForNobody) {
    Queue queue;
    queue.pop();
}

class Sizes : public ::testing::TestWithParam<int> {};
TEST_P(Sizes, AreSmall) { ASSERT_LT(GetParam(), 3); }
INSTANTIATE_TEST_SUITE_P(All, Sizes, ::testing::Values(1, 5));
"#;

fn tests_by_name(build: &Build, program: &str) {
    build.expect(0, &[program, "--test", "QueueTest.PassesItems"]);
    let order = build.expect(1, &[program, "--test", "QueueTest.KeepsAnOrderThatNobodyPromised"]);
    assert!(order.contains("error[assertion]") && order.contains("then 1"), "{order}");
    assert!(order.contains("queue_test.cpp:"), "{order}");
    let stuck = build.expect(1, &[program, "--test", "Loose.WaitsForNobody"]);
    assert!(stuck.contains("error[deadlock]"), "{stuck}");
    build.expect(0, &[program, "--test", "All/Sizes.AreSmall/0"]);
    build.expect(1, &[program, "--test", "All/Sizes.AreSmall/1"]);
    let unknown = build.expect(2, &[program, "--test", "QueueTest.Missing"]);
    assert!(unknown.contains("QueueTest.PassesItems"), "{unknown}");
}

/// GoogleTest itself and a test that uses it, by CMake.
#[test]
fn google_test_by_cmake() {
    let lists = "cmake_minimum_required(VERSION 3.10)
project(queue CXX)
set(CMAKE_CXX_STANDARD 17)
set(BUILD_GMOCK OFF CACHE BOOL \"\")
set(INSTALL_GTEST OFF CACHE BOOL \"\")
add_subdirectory(/usr/src/googletest/googletest gtest)
add_executable(queue_test queue_test.cpp)
target_link_libraries(queue_test gtest_main)
";
    let build = Build::new(&[("CMakeLists.txt", lists), ("queue_test.cpp", QUEUE_TEST)]);
    build.build("cmake -S . -B build -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build build -j2 >/dev/null");
    build.build("build/queue_test --gtest_filter=QueueTest.PassesItems >/dev/null");
    tests_by_name(&build, "build/queue_test");
}

/// The same without any build: the framework comes from its source package.
#[test]
fn a_test_file_alone() {
    let build = Build::new(&[("queue_test.cpp", QUEUE_TEST)]);
    tests_by_name(&build, "queue_test.cpp");
}

/// A thread pool (libthread-pool-dev) and a queue (libconcurrentqueue-dev) with tests for Catch2, by
/// meson.
#[test]
fn thread_pool_and_catch_by_meson() {
    let meson = "project('pools', 'cpp', default_options: ['cpp_std=c++17'])
threads = dependency('threads')
executable('pool_test', 'pool_test.cpp', 'main.cpp', dependencies: threads)
";
    let main = "#define CATCH_CONFIG_MAIN\n#define CATCH_CONFIG_NO_POSIX_SIGNALS\n#include <catch2/catch.hpp>\n";
    let tests = r#"
#include <catch2/catch.hpp>
#include <atomic>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

TEST_CASE("items arrive once", "[queue]") {
    moodycamel::ConcurrentQueue<int> queue(4);
    std::thread producer([&] { queue.enqueue(1); });
    producer.join();
    int item = 0;
    REQUIRE(queue.try_dequeue(item));
    CHECK(item == 1);
}

TEST_CASE("an item is there at once") {
    moodycamel::ConcurrentQueue<int> queue(4);
    std::atomic<bool> sent{false};
    std::thread producer([&] { sent = true; queue.enqueue(1); });
    int item = 0;
    if (sent)
        CHECK(queue.try_dequeue(item));
    producer.join();
}
"#;
    let build = Build::new(&[("meson.build", meson), ("main.cpp", main), ("pool_test.cpp", tests)]);
    build.build("meson setup build >/dev/null && ninja -C build >/dev/null");
    build.build("build/pool_test 'items arrive once' >/dev/null");
    build.expect(0, &["build/pool_test", "--test", "items arrive once"]);
    let early = build.expect(1, &["build/pool_test", "--test", "an item is there at once"]);
    assert!(early.contains("error[assertion]") && early.contains("pool_test.cpp:22"), "{early}");
    let unknown = build.expect(2, &["build/pool_test", "--test", "no such test"]);
    assert!(unknown.contains("items arrive once"), "{unknown}");
}

/// zlib, as it is in the source of the C++ library, by its configure and make.
#[test]
fn zlib_by_configure() {
    let client = r#"
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <zlib.h>

static void *sum(void *out) {
    *(unsigned long *)out = adler32(crc32(0, (const Bytef *)"threads", 7), (const Bytef *)"ab", 2);
    return NULL;
}

int main(void) {
    unsigned long mine, other;
    pthread_t t;
    pthread_create(&t, NULL, sum, &other);
    sum(&mine);
    pthread_join(t, NULL);
    assert(mine == other);
    assert(strcmp(zlibVersion(), ZLIB_VERSION) == 0);
}
"#;
    let build = Build::new(&[("client.c", client)]);
    build.build(
        "tar -xf /usr/src/gcc-*/gcc-*.tar.xz --strip-components=1 --wildcards '*/zlib' '*/install-sh' '*/config-ml.in' \
         '*/config.guess' '*/config.sub' '*/missing' '*/depcomp' '*/ltmain.sh' '*/compile' '*/mkinstalldirs' \
         && mkdir build && cd build && ../zlib/configure --disable-multilib >/dev/null 2>&1 && make -j2 libz.a >/dev/null 2>&1",
    );
    build.expect(0, &["client.c", "build/libz.a", "-Izlib"]);
}

/// Concurrency Kit's stack and Boost's queue in one program, by make.
#[test]
fn libraries_of_headers_by_make() {
    let makefile = "CPPFLAGS = -DBOOST_THREAD_VERSION=4 -DBOOST_THREAD_DONT_PROVIDE_INTERRUPTIONS
CFLAGS = -O2 -g -Wall
CXXFLAGS = -O2 -g
program: main.o libstack.a
\t$(CXX) $(LDFLAGS) -o $@ $^ -pthread
libstack.a: stack.o
\t$(AR) rcs $@ $^
";
    let stack = "#include <ck_stack.h>
#include <stdlib.h>
static ck_stack_t stack = CK_STACK_INITIALIZER;
struct item { ck_stack_entry_t entry; int value; };
void put(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    ck_stack_push_upmc(&stack, &item->entry);
}
int take_all(void) {
    int sum = 0;
    ck_stack_entry_t *at, *next;
    for (at = ck_stack_batch_pop_upmc(&stack); at; at = next) {
        next = at->next;
        sum += ((struct item *)at)->value;
        free(at);
    }
    return sum;
}
";
    let main = "#include <boost/thread/lock_guard.hpp>
#include <boost/thread/sync_queue.hpp>
#include <cassert>
#include <thread>
extern \"C\" { void put(int value); int take_all(void); }
int main() {
    boost::concurrent::sync_queue<int> queue;
    std::thread other([&] { put(queue.pull()); });
    put(1);
    queue.push(2);
    other.join();
    assert(take_all() == 3);
}
";
    let build = Build::new(&[("Makefile", makefile), ("stack.c", stack), ("main.cpp", main)]);
    build.build("make -s -j2 && ./program");
    build.expect(0, &["program"]);
    build.expect(0, &["program", "--leaks"]);
}
