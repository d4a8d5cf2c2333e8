// Wide streams. Whoever writes wide characters to standard output may write nothing else to it, so
// these programs have a main of their own.

#include <cwchar>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

#define PROGRAM(name) static void name()

PROGRAM(numbers_and_text) {
    std::wcout << L"wide " << 42 << L' ' << std::hex << 255 << std::dec << L' ' << std::setw(6) << L"x" << -7L;
}
PROGRAM(floats_and_booleans) {
    std::wostringstream out;
    out << 3.5 << L"," << true << L"," << std::boolalpha << false << L"," << std::setprecision(3) << 2.0 / 3;
    std::wcout << out.str();
}
PROGRAM(reading) {
    std::wistringstream in(L"17 abc 2.25 x");
    int number = 0, missing = 5;
    std::wstring word;
    double part = 0;
    in >> number >> word >> part;
    std::wcout << number + 1 << L'|' << word << L'|' << part << L'|';
    in >> missing;
    std::wcout << missing << in.fail();
}
PROGRAM(lines) {
    std::wistringstream in(L"one\ntwo\n\nfour");
    std::wstring line;
    while (std::getline(in, line))
        std::wcout << line.size() << L':' << line << L' ';
}
PROGRAM(characters) {
    std::locale c;
    std::wcout << std::isalpha(L'a', c) << std::isdigit(L'a', c) << std::toupper(L'b', c) << std::wcslen(L"four")
               << wchar_t(std::use_facet<std::ctype<wchar_t>>(c).widen('z'));
}
PROGRAM(strings) {
    std::wstring text = L"concurrent";
    text.replace(0, 3, L"re").append(3, L'!');
    std::wcout << text << text.find(L"rent") << text.substr(2, 4) << (text < L"s");
}
int main() {
    for (auto program : {numbers_and_text, floats_and_booleans, reading, lines, characters, strings}) {
        program();
        std::wcout << std::endl;
    }
}
