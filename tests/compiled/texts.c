// Bytes that look like parts of addresses: text with the letters S to V.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[300];
    unsigned sum = 0;
    for (int i = 0; i < 299; i++) text[i] = "STUVWXRQ"[i % 8];
    text[299] = 0;
    for (int r = 0; r < 5; r++) {
        for (int i = 0; i < 299; i++) {
            text[i] = (char)(text[i] == 'V' ? 'S' : text[i] + (i % 3 == 0));
            sum = sum * 31 + (unsigned char)text[(i * 7) % 299];
        }
        short halves[150];
        memcpy(halves, text, 300);
        for (int i = 0; i < 150; i++) sum += (unsigned short)halves[i];
    }
    printf("%u %zu\n", sum, strlen(text));
}
