// The C locale for the C++ library, and the functions of glibc that it asks about a
// locale. There is no other locale, as in the C library of the machine.

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <ctype.h>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <cwctype>
#include <langinfo.h>
#include <locale.h>

static __locale_struct c_locale;

extern "C" {

locale_t __newlocale(int, const char *name, locale_t) throw() {
    if (strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        return nullptr;
    if (!c_locale.__ctype_b) {
        c_locale.__ctype_tolower = *__ctype_tolower_loc();
        c_locale.__ctype_toupper = *__ctype_toupper_loc();
        for (auto &known : c_locale.__names)
            known = "C";
        c_locale.__ctype_b = *__ctype_b_loc();
    }
    return &c_locale;
}
locale_t newlocale(int mask, const char *name, locale_t base) throw() {
    return __newlocale(mask, name, base);
}
locale_t __duplocale(locale_t locale) throw() { return locale; }
locale_t duplocale(locale_t locale) throw() { return locale; }
void __freelocale(locale_t) throw() {}
void freelocale(locale_t) throw() {}
locale_t __uselocale(locale_t) throw() { return &c_locale; }
locale_t uselocale(locale_t) throw() { return &c_locale; }

float __strtof_l(const char *text, char **end, locale_t) throw() { return strtof(text, end); }
double __strtod_l(const char *text, char **end, locale_t) throw() { return strtod(text, end); }
long double strtold_l(const char *text, char **end, locale_t) throw() {
    return strtold(text, end);
}
int __strcoll_l(const char *one, const char *two, locale_t) throw() { return strcmp(one, two); }
size_t __strxfrm_l(char *to, const char *from, size_t size, locale_t) throw() {
    size_t length = strlen(from);
    if (size)
        memcpy(to, from, length < size ? length + 1 : size);
    return length;
}

int iswctype_of(wint_t c, wctype_t type) {
    return c < 128 && ((*__ctype_b_loc())[c] & type) != 0;
}
wctype_t __wctype_l(const char *name, locale_t) throw() {
    static const struct {
        const char *name;
        unsigned short bit;
    } classes[] = {{"space", _ISspace}, {"print", _ISprint}, {"cntrl", _IScntrl},
                   {"upper", _ISupper}, {"lower", _ISlower}, {"alpha", _ISalpha},
                   {"digit", _ISdigit}, {"punct", _ISpunct}, {"xdigit", _ISxdigit},
                   {"alnum", _ISalnum}, {"graph", _ISgraph}, {"blank", _ISblank}};
    for (auto &known : classes)
        if (strcmp(known.name, name) == 0)
            return known.bit;
    return 0;
}
int __iswctype_l(wint_t c, wctype_t type, locale_t) throw() { return iswctype_of(c, type); }
wint_t __towupper_l(wint_t c, locale_t) throw() { return c < 128 ? toupper(c) : c; }
wint_t __towlower_l(wint_t c, locale_t) throw() { return c < 128 ? tolower(c) : c; }

// The headers define these two in terms of themselves.
int narrow(wint_t c) __asm__("wctob");
int narrow(wint_t c) { return c < 128 ? int(c) : -1; }
wint_t widen(int c) __asm__("btowc");
wint_t widen(int c) { return c >= 0 && c < 128 ? wint_t(c) : WEOF; }

} // extern "C"

// ---- wide characters, and messages in other languages ------------------------------

extern "C" {

char *gettext(const char *text) throw() { return const_cast<char *>(text); }
char *dgettext(const char *, const char *text) throw() { return const_cast<char *>(text); }

size_t wcslen(const wchar_t *text) throw() {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}
int wcscmp(const wchar_t *one, const wchar_t *two) throw() {
    for (; *one && *one == *two; one++, two++) {
    }
    return *one < *two ? -1 : *one > *two;
}
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) throw() {
    return static_cast<wchar_t *>(memcpy(to, from, count * sizeof(wchar_t)));
}
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) throw() {
    return static_cast<wchar_t *>(memmove(to, from, count * sizeof(wchar_t)));
}
wchar_t *wmemset(wchar_t *to, wchar_t c, size_t count) throw() {
    for (size_t i = 0; i < count; i++)
        to[i] = c;
    return to;
}
int wmemcmp(const wchar_t *one, const wchar_t *two, size_t count) throw() {
    for (size_t i = 0; i < count; i++)
        if (one[i] != two[i])
            return one[i] < two[i] ? -1 : 1;
    return 0;
}

} // extern "C"

// ---- wide streams: in the C locale a character is a byte below 128 ------------------

extern "C" {

static bool is_byte(wint_t c) { return c < 128; }

// Refused by the machine: glibc writes something similar to the character.
void __exeunt_wide();

wint_t fputwc(wchar_t c, FILE *stream) {
    if (!is_byte(c))
        __exeunt_wide();
    return fputc(int(c), stream) == EOF ? WEOF : wint_t(c);
}
wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }

wint_t fgetwc(FILE *stream) {
    int c = fgetc(stream);
    if (c >= 128)
        errno = EILSEQ;
    return c == EOF || c >= 128 ? WEOF : wint_t(c);
}
wint_t getwc(FILE *stream) { return fgetwc(stream); }

wint_t ungetwc(wint_t c, FILE *stream) {
    return c == WEOF || !is_byte(c) || ungetc(int(c), stream) == EOF ? WEOF : c;
}

size_t mbrtowc(wchar_t *to, const char *from, size_t count, mbstate_t *) throw() {
    if (!from)
        return 0;
    if (count == 0)
        return size_t(-2);
    if (static_cast<unsigned char>(*from) >= 128) {
        errno = EILSEQ;
        return size_t(-1);
    }
    if (to)
        *to = *from;
    return *from != 0;
}
size_t wcrtomb(char *to, wchar_t c, mbstate_t *) throw() {
    if (!to)
        return 1;
    if (!is_byte(c)) {
        errno = EILSEQ;
        return size_t(-1);
    }
    *to = char(c);
    return 1;
}
size_t mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t room, mbstate_t *) throw() {
    const char *at = *from;
    size_t done = 0;
    for (; done < bytes && (!to || done < room); done++, at++) {
        if (static_cast<unsigned char>(*at) >= 128) {
            errno = EILSEQ;
            *from = at;
            return size_t(-1);
        }
        if (to)
            to[done] = *at;
        if (*at == 0) {
            if (to)
                *from = nullptr;
            return done;
        }
    }
    if (to)
        *from = at;
    return done;
}
size_t mbsrtowcs(wchar_t *to, const char **from, size_t room, mbstate_t *state) throw() {
    return mbsnrtowcs(to, from, size_t(-1), room, state);
}
size_t wcsnrtombs(char *to, const wchar_t **from, size_t count, size_t room, mbstate_t *) throw() {
    const wchar_t *at = *from;
    size_t done = 0;
    for (; done < count && (!to || done < room); done++, at++) {
        if (!is_byte(*at)) {
            errno = EILSEQ;
            *from = at;
            return size_t(-1);
        }
        if (to)
            to[done] = char(*at);
        if (*at == 0) {
            if (to)
                *from = nullptr;
            return done;
        }
    }
    if (to)
        *from = at;
    return done;
}
size_t wcsrtombs(char *to, const wchar_t **from, size_t room, mbstate_t *state) throw() {
    return wcsnrtombs(to, from, size_t(-1), room, state);
}
int __wcscoll_l(const wchar_t *one, const wchar_t *two, locale_t) throw() {
    return wcscmp(one, two);
}
size_t __wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t room, locale_t) throw() {
    size_t length = wcslen(from);
    if (room)
        wmemcpy(to, from, length < room ? length + 1 : room);
    return length;
}

} // extern "C"

// <cwchar> declares it twice, for constant and for other characters.
extern "C" const wchar_t *find_wide(const wchar_t *text, wchar_t c, size_t count) __asm__("wmemchr");
extern "C" const wchar_t *find_wide(const wchar_t *text, wchar_t c, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (text[i] == c)
            return text + i;
    return nullptr;
}
