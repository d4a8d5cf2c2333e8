// GoogleTest under `exeunt check --test`: a failed check ends the run where it is made, nothing
// asks for the time or for directories, and a program without `main` gets one.
#include <gtest/gtest.h>

#include <assert.h>
#include <stdlib.h>

namespace testing {
namespace internal {

void AssertHelper::operator=(const Message& message) const {
    switch (data_->type) {
    case TestPartResult::kSuccess: return;
    case TestPartResult::kSkip:
    case TestPartResult::kNonFatalFailure:
    case TestPartResult::kFatalFailure: break;
    }
    if (data_->type == TestPartResult::kSkip)
        exit(0);
    std::string text = data_->message;
    std::string more = message.GetString();
    if (!more.empty())
        text += "\n" + more;
    __assert_fail(text.c_str(), data_->file, data_->line, "");
}

FilePath FilePath::GetCurrentDir() { return FilePath("."); }

// Of a test that is chosen by a name which no test has.
static int run() {
    int code = RUN_ALL_TESTS();
    if (UnitTest::GetInstance()->test_to_run_count() == 0)
        __assert_fail("a test of this name", "", 0, "");
    return code;
}

} // namespace internal
} // namespace testing

extern "C" {
// posix::GetEnv(const char*), posix::IsATTY(int): what the framework asks for itself.
const char* exeunt_gtest_getenv(const char*)
    __asm__("_ZN7testing8internal5posix6GetEnvEPKc");
const char* exeunt_gtest_getenv(const char*) { return nullptr; }
int exeunt_gtest_isatty(int) __asm__("_ZN7testing8internal5posix6IsATTYEi");
int exeunt_gtest_isatty(int) { return 0; }
// GetTimeInMillis(), Timer::Elapsed()
long long exeunt_gtest_now() __asm__("_ZN7testing8internal15GetTimeInMillisEv");
long long exeunt_gtest_now() { return 0; }
long long exeunt_gtest_elapsed(void*) __asm__("_ZN7testing8internal5Timer7ElapsedEv");
long long exeunt_gtest_elapsed(void*) { return 0; }
long long exeunt_gtest_elapsed_own(void*)
    __asm__("_ZN7testing8internal12_GLOBAL__N_15Timer7ElapsedEv");
long long exeunt_gtest_elapsed_own(void*) { return 0; }
}

__attribute__((weak)) int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    return testing::internal::run();
}
