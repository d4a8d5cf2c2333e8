#include "programs.h"

#include <bitset>
#include <complex>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

PROGRAM(cout_types) {
    std::cout << 1 << ' ' << 2.5 << ' ' << true << ' ' << "text" << ' ' << 'c' << std::flush;
}
PROGRAM(manipulators) {
    std::ostringstream o;
    o << std::hex << 255 << std::oct << ' ' << 8 << std::dec << ' ' << std::showpos << 5 << ' '
      << std::boolalpha << true;
    printf("%s", o.str().c_str());
}
PROGRAM(width_and_fill) {
    std::ostringstream o;
    o << std::setw(6) << 42 << '|' << std::left << std::setw(6) << 42 << '|' << std::setfill('*')
      << std::right << std::setw(5) << "ab";
    printf("%s", o.str().c_str());
}
PROGRAM(floats) {
    std::ostringstream o;
    o << std::fixed << std::setprecision(3) << 3.14159 << ' ' << std::scientific << 12345.678 << ' '
      << std::defaultfloat << 1e-10;
    printf("%s", o.str().c_str());
}
PROGRAM(read_numbers) {
    std::istringstream in("12 -3 4.5 0x1f abc");
    int a, b;
    double c;
    in >> a >> b >> c;
    int d;
    in >> std::hex >> d;
    printf("%d %d %g %d %d", a, b, c, d, bool(in));
}
PROGRAM(read_fails) {
    std::istringstream in("x");
    int n = 7;
    in >> n;
    printf("%d %d %d", n, in.fail(), in.eof());
    in.clear();
    std::string s;
    in >> s;
    printf(" %s", s.c_str());
}
PROGRAM(lines) {
    std::istringstream in("one\ntwo words\n\nlast");
    std::string line;
    while (std::getline(in, line))
        printf("[%s]", line.c_str());
}
PROGRAM(separated) {
    std::istringstream in("a,b,,c");
    std::string part;
    while (std::getline(in, part, ','))
        printf("(%s)", part.c_str());
}
PROGRAM(stringstream_both) {
    std::stringstream s;
    s << 1 << ' ' << 2;
    int a, b;
    s >> a >> b;
    printf("%d", a + b);
}
struct Point {
    int x, y;
    friend std::ostream &operator<<(std::ostream &o, const Point &p) {
        return o << '(' << p.x << ", " << p.y << ')';
    }
    friend std::istream &operator>>(std::istream &i, Point &p) { return i >> p.x >> p.y; }
};
PROGRAM(own_operators) {
    Point p;
    std::istringstream("3 4") >> p;
    std::cout << p << std::endl;
}
PROGRAM(stream_exceptions) {
    std::istringstream in("");
    in.exceptions(std::ios::failbit);
    try {
        int n;
        in >> n;
    } catch (const std::ios_base::failure &) {
        printf("failure");
    }
}
PROGRAM(quoted) {
    std::ostringstream o;
    o << std::quoted("say \"hi\"");
    printf("%s", o.str().c_str());
}
PROGRAM(bits) {
    std::bitset<10> b("1011");
    b.set(9);
    std::cout << b << ' ' << b.count() << std::flush;
}
PROGRAM(complex_number) {
    std::complex<double> z(1, 2);
    std::cout << z * z << std::flush;
}
PROGRAM(tell_and_seek) {
    std::stringstream s("abcdef");
    s.seekg(3);
    char c;
    s >> c;
    printf("%c %d", c, int(s.tellg()));
}
MAIN
