// The other half of two_files.c.
extern int shared;

int doubled(void) {
    return 2 * shared;
}
