// verdict: holds
// states: 18
// The bytes of an integer through a union.
#include <assert.h>

union word {
    unsigned number;
    unsigned char bytes[4];
};

int main(void) {
    union word w;
    w.number = 0x01020304;
    assert(w.bytes[0] == 4 && w.bytes[3] == 1);
    w.bytes[1] = 0xff;
    assert(w.number == 0x0102ff04);
    return 0;
}
