// Small programs in one file: each is run in turn, under its name.
#include <cstdio>

struct Program {
    const char *name;
    void (*run)();
    Program *next;
    static Program *&last() {
        static Program *last = nullptr;
        return last;
    }
    Program(const char *name, void (*run)()) : name(name), run(run), next(last()) {
        last() = this;
    }
};

#define PROGRAM(name)                                                                              \
    static void program_##name();                                                                  \
    static Program entry_##name(#name, program_##name);                                            \
    static void program_##name()

#define MAIN                                                                                       \
    int main() {                                                                                   \
        for (Program *p = Program::last(); p; p = p->next) {                                       \
            printf("%s: ", p->name);                                                               \
            p->run();                                                                              \
            printf("\n");                                                                          \
        }                                                                                          \
    }
