// verdict: holds
// states: 11103
// native
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct option options[] = {
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {"output", required_argument, NULL, 'o'},
    {"level", optional_argument, NULL, 'l'},
    {NULL, 0, NULL, 0},
};

static void words(char **argv)
{
    for (int i = 1; argv[i]; i++) printf(" %s", argv[i]);
    printf("\n");
}

static void run(const char *title, const char *letters, int kind, int argc, char **argv)
{
    int code, index = -1;
    printf("%s:", title);
    words(argv);
    optind = 0;
    opterr = 0;
    for (;;) {
        if (kind == 0) code = getopt(argc, argv, letters);
        if (kind == 1) code = getopt_long(argc, argv, letters, options, &index);
        if (kind == 2) code = getopt_long_only(argc, argv, letters, options, &index);
        if (code == -1) break;
        printf("  %d", code);
        if (code > ' ') printf(" '%c'", code);
        if (code == '?' || code == ':') printf(" optopt %d", optopt);
        if (kind) printf(" index %d", index);
        printf(" optind %d optarg %s\n", optind, optarg ? optarg : "-");
    }
    printf("  end %d:", optind);
    words(argv);
}

#define RUN(title, letters, kind, ...)                                    \
    do {                                                                  \
        char *argv[] = {"program", __VA_ARGS__, NULL};                    \
        run(title, letters, kind, sizeof argv / sizeof *argv - 1, argv);  \
    } while (0)

int main(void)
{
    RUN("letters", "ab:c::", 0, "-a", "-bvalue", "-b", "next", "-c", "-cx", "-ac");
    RUN("permuted", "ab:", 0, "one", "-a", "two", "-b", "x", "three", "-a");
    RUN("stops", "+ab:", 0, "-a", "one", "-b", "x");
    RUN("returns", "-ab:", 0, "one", "-a", "two");
    RUN("dashes", "ab:", 0, "one", "-a", "--", "-b", "two");
    RUN("alone", "ab:", 0, "-", "-a");
    RUN("unknown", "ab:", 0, "-x", "-ax", "-b");
    RUN("missing", ":ab:", 0, "-x", "-b");
    RUN("long", "vo:l::", 1, "--verbose", "-v", "--output=f", "--output", "g", "--level", "--level=3");
    RUN("short for", "vo:l::", 1, "--verb", "--out", "x", "--ver", "--lev=2");
    RUN("wrong", "vo:", 1, "--verbose=1", "--nothing", "--output");
    RUN("wrong", ":vo:", 1, "operand", "--output");
    RUN("one dash", "vo:", 2, "-verbose", "-output", "x", "-v", "-vo", "y", "operand");
}
