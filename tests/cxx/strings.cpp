#include "programs.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

PROGRAM(append) {
    std::string s;
    for (int i = 0; i < 30; i++)
        s += char('a' + i % 26);
    s.insert(3, "XYZ");
    s.erase(0, 2);
    printf("%s", s.c_str());
}
PROGRAM(find_and_replace) {
    std::string s = "the cat sat on the mat";
    for (size_t at = 0; (at = s.find("at", at)) != std::string::npos; at += 3)
        s.replace(at, 2, "ees");
    printf("%s %zu %zu", s.c_str(), s.rfind("ees"), s.find_first_of("xyzn"));
}
PROGRAM(compare) {
    std::string a = "abc", b = "abd";
    printf("%d %d %d", a < b, a.compare(b) < 0, a + "d" == "abcd");
}
PROGRAM(numbers) {
    printf("%d %ld %g %s %s", std::stoi("42"), std::stol("-7"), std::stod("2.5e3"),
           std::to_string(123456789L).c_str(), std::to_string(1.5).c_str());
}
PROGRAM(radix) { printf("%d %d", std::stoi("ff", nullptr, 16), std::stoi("0x1A", nullptr, 0)); }
PROGRAM(views) {
    std::string_view v = "key=value";
    auto at = v.find('=');
    auto key = v.substr(0, at), value = v.substr(at + 1);
    printf("%.*s|%.*s", int(key.size()), key.data(), int(value.size()), value.data());
}
PROGRAM(to_chars_int) {
    char text[20];
    auto end = std::to_chars(text, text + 20, -98765).ptr;
    *end = 0;
    printf("%s", text);
    end = std::to_chars(text, text + 20, 255, 2).ptr;
    *end = 0;
    printf(" %s", text);
}
PROGRAM(from_chars_int) {
    int n = 0;
    const char *text = "1234x";
    auto [end, error] = std::from_chars(text, text + 5, n);
    printf("%d %d %d", n, int(end - text), int(error));
}
PROGRAM(to_chars_double) {
    char text[40];
    for (double d : {0.1, 1e100, -2.5, 3.0, 1.0 / 3}) {
        *std::to_chars(text, text + 40, d).ptr = 0;
        printf("%s ", text);
    }
}
PROGRAM(reverse_words) {
    std::string s = "one two three";
    std::reverse(s.begin(), s.end());
    printf("%s", s.c_str());
}
PROGRAM(resize_and_reserve) {
    std::string s(5, 'x');
    s.resize(8, 'y');
    s.reserve(100);
    printf("%s %d", s.c_str(), s.capacity() >= 100);
    s.clear();
    s.shrink_to_fit();
    printf(" %zu", s.size());
}
PROGRAM(wide) {
    std::wstring w = L"wide";
    w += L" text";
    printf("%zu %d", w.size(), w < L"wider");
}
PROGRAM(unicode) {
    std::u32string u = U"\U0001F600 ok";
    printf("%zu %x", u.size(), unsigned(u[0]));
}
PROGRAM(c_functions) {
    char text[30];
    strcpy(text, "abc");
    strcat(text, "def");
    printf("%s %zu %s", text, strlen(text), strchr(text, 'd'));
}
MAIN
