/* `err.h`, `error.h` and the name of the program.
 *
 * Ordinary C, because a format may be followed by arguments of any kind. The front
 * end links this file, as weak definitions, if the program declares one of these
 * functions or variables without defining it.
 */

typedef __builtin_va_list va_list;

struct _IO_FILE;
extern struct _IO_FILE *stderr;
int fprintf(struct _IO_FILE *, const char *, ...);
int vfprintf(struct _IO_FILE *, const char *, va_list);
char *strerror(int);
void exit(int) __attribute__((noreturn));
int *__errno_location(void);

#define WEAK __attribute__((weak))

WEAK char *program_invocation_name = "program";
WEAK char *program_invocation_short_name = "program";
WEAK unsigned error_message_count;
WEAK void (*error_print_progname)(void);

/* `code` is an error to describe, or negative for none. */
static void tell(int code, const char *format, va_list arguments) {
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format) {
        vfprintf(stderr, format, arguments);
        if (code >= 0) fprintf(stderr, ": ");
    }
    if (code >= 0) fprintf(stderr, "%s", strerror(code));
    fprintf(stderr, "\n");
}

WEAK void vwarn(const char *format, va_list arguments) { tell(*__errno_location(), format, arguments); }

WEAK void vwarnx(const char *format, va_list arguments) { tell(-1, format, arguments); }

WEAK void warn(const char *format, ...) {
    int code = *__errno_location();
    va_list arguments;
    __builtin_va_start(arguments, format);
    tell(code, format, arguments);
    __builtin_va_end(arguments);
}

WEAK void warnx(const char *format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    tell(-1, format, arguments);
    __builtin_va_end(arguments);
}

WEAK __attribute__((noreturn)) void verr(int status, const char *format, va_list arguments) {
    tell(*__errno_location(), format, arguments);
    exit(status);
}

WEAK __attribute__((noreturn)) void verrx(int status, const char *format, va_list arguments) {
    tell(-1, format, arguments);
    exit(status);
}

WEAK __attribute__((noreturn)) void err(int status, const char *format, ...) {
    int code = *__errno_location();
    va_list arguments;
    __builtin_va_start(arguments, format);
    tell(code, format, arguments);
    exit(status);
}

WEAK __attribute__((noreturn)) void errx(int status, const char *format, ...) {
    va_list arguments;
    __builtin_va_start(arguments, format);
    tell(-1, format, arguments);
    exit(status);
}

WEAK void error(int status, int code, const char *format, ...) {
    va_list arguments;
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s: ", program_invocation_name);
    __builtin_va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    __builtin_va_end(arguments);
    error_message_count++;
    if (code) fprintf(stderr, ": %s", strerror(code));
    fprintf(stderr, "\n");
    if (status) exit(status);
}
