/* `getopt`, `getopt_long` and `getopt_long_only`, as in the GNU C library.
 *
 * They work on variables of the program (`optind`, `optarg`…) and reorder its
 * arguments, so they are ordinary C: whatever threads do with these variables is
 * seen. The front end links this file, as weak definitions, if the program declares
 * one of these functions or variables without defining it.
 */

typedef __SIZE_TYPE__ size_t;

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

struct _IO_FILE;
extern struct _IO_FILE *stderr;
int fprintf(struct _IO_FILE *, const char *, ...);
size_t strlen(const char *);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);

#define WEAK __attribute__((weak))

WEAK char *optarg;
WEAK int optind = 1;
WEAK int opterr = 1;
WEAK int optopt = '?';

enum order { PERMUTE, STOP_AT_OPERAND, RETURN_OPERANDS };

/* Where the next letter of a group like `-abc` is; operands that were passed over are
 * in argv[first_skipped .. last_skipped). */
static char *next_letter;
static int first_skipped;
static int last_skipped;
static int started;

static int is_operand(const char *word) { return word[0] != '-' || word[1] == 0; }

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Brings the options behind the skipped operands before them. */
static void exchange(char **argv) {
    int options = optind - last_skipped;
    reverse(argv, first_skipped, last_skipped);
    reverse(argv, last_skipped, optind);
    reverse(argv, first_skipped, optind);
    first_skipped += options;
    last_skipped = optind;
}

/* Finds the next word that is an option. Returns 0 if argv[optind] is one, -1 at the
 * end, 1 if an operand is to be returned. */
static int next_word(int argc, char **argv, enum order order) {
    if (last_skipped > optind) last_skipped = optind;
    if (first_skipped > optind) first_skipped = optind;
    if (order == PERMUTE) {
        if (first_skipped != last_skipped && last_skipped != optind)
            exchange(argv);
        else if (last_skipped != optind)
            first_skipped = optind;
        while (optind < argc && is_operand(argv[optind])) optind++;
        last_skipped = optind;
    }
    if (optind != argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (first_skipped != last_skipped && last_skipped != optind)
            exchange(argv);
        else if (first_skipped == last_skipped)
            first_skipped = optind;
        last_skipped = argc;
        optind = argc;
    }
    if (optind == argc) {
        if (first_skipped != last_skipped) optind = first_skipped;
        return -1;
    }
    if (!is_operand(argv[optind])) return 0;
    if (order == STOP_AT_OPERAND) return -1;
    optarg = argv[optind++];
    return 1;
}

static int long_option(int argc, char **argv, const struct option *options, int *index,
                       int prefer_short, int loud, int missing, const char *prefix) {
    size_t length = 0;
    const struct option *found = 0;
    int at = -1, ambiguous = 0;
    while (next_letter[length] && next_letter[length] != '=') length++;
    for (int i = 0; options[i].name; i++) {
        if (strncmp(options[i].name, next_letter, length)) continue;
        if (strlen(options[i].name) == length) {
            found = &options[i];
            at = i;
            ambiguous = 0;
            break;
        }
        if (!found) {
            found = &options[i];
            at = i;
        } else if (prefer_short || found->has_arg != options[i].has_arg ||
                   found->flag != options[i].flag || found->val != options[i].val) {
            ambiguous = 1;
        }
    }
    if (ambiguous) {
        if (loud)
            fprintf(stderr, "%s: option '%s%s' is ambiguous\n", argv[0], prefix, next_letter);
        next_letter = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    if (!found) {
        if (prefer_short && argv[optind][1] != '-') return -1;
        if (loud) fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix, next_letter);
        next_letter = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    if (next_letter[length]) {
        if (!found->has_arg) {
            if (loud)
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], prefix,
                        found->name);
            next_letter = 0;
            optopt = found->val;
            return '?';
        }
        optarg = next_letter + length + 1;
    } else if (found->has_arg == 1) {
        if (optind == argc) {
            if (loud)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], prefix,
                        found->name);
            next_letter = 0;
            optopt = found->val;
            return missing;
        }
        optarg = argv[optind++];
    }
    next_letter = 0;
    if (index) *index = at;
    if (!found->flag) return found->val;
    *found->flag = found->val;
    return 0;
}

static int short_option(int argc, char **argv, const char *letters, int loud, int missing) {
    int letter = (unsigned char)*next_letter++;
    const char *known = letter == ':' || letter == ';' ? 0 : strchr(letters, letter);
    int last = *next_letter == 0;
    if (last) optind++;
    if (!known) {
        if (loud) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':') return letter;
    if (!last) {
        optarg = next_letter;
        optind++;
    } else if (known[2] == ':') {
        optarg = 0;
    } else if (optind == argc) {
        if (loud) fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
        optopt = letter;
        letter = missing;
    } else {
        optarg = argv[optind++];
    }
    next_letter = 0;
    return letter;
}

static int next_option(int argc, char **argv, const char *letters, const struct option *options,
                       int *index, int only) {
    enum order order = PERMUTE;
    if (argc < 1) return -1;
    optarg = 0;
    if (optind == 0 || !started) {
        if (optind == 0) optind = 1;
        first_skipped = last_skipped = optind;
        next_letter = 0;
        started = 1;
    }
    if (letters[0] == '-' || letters[0] == '+')
        order = *letters++ == '-' ? RETURN_OPERANDS : STOP_AT_OPERAND;
    int quiet = letters[0] == ':';
    int loud = opterr && !quiet, missing = quiet ? ':' : '?';
    if (!next_letter || !*next_letter) {
        int found = next_word(argc, argv, order);
        if (found) return found;
        if (options) {
            char *word = argv[optind];
            if (word[1] == '-') {
                next_letter = word + 2;
                return long_option(argc, argv, options, index, only, loud, missing, "--");
            }
            if (only && (word[2] || !strchr(letters, word[1]))) {
                next_letter = word + 1;
                int code = long_option(argc, argv, options, index, only, loud, missing, "-");
                if (code != -1) return code;
            }
        }
        next_letter = argv[optind] + 1;
    }
    return short_option(argc, argv, letters, loud, missing);
}

WEAK int getopt(int argc, char *const *argv, const char *letters) {
    return next_option(argc, (char **)argv, letters, 0, 0, 0);
}

WEAK int getopt_long(int argc, char *const *argv, const char *letters, const struct option *options,
                     int *index) {
    return next_option(argc, (char **)argv, letters, options, index, 0);
}

WEAK int getopt_long_only(int argc, char *const *argv, const char *letters,
                          const struct option *options, int *index) {
    return next_option(argc, (char **)argv, letters, options, index, 1);
}
