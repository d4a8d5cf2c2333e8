/* Library functions that call back into the program.
 *
 * The machine's builtins cannot call the program's code and go on afterwards,
 * so these are ordinary C. The front end compiles this file (with debug
 * information off, so that positions are the caller's) and links it, as weak
 * definitions, if the program declares one of
 *
 *     qsort qsort_r bsearch lfind lsearch
 *
 * without defining it.
 *
 * qsort compares in glibc's order: its merge sort halves the array and
 * merges, preferring the left half on ties, so it is stable and calls the
 * comparison with the same arguments as natively. A comparison function that
 * does not define an order changes what is sorted, but never leaves the array.
 */

typedef __SIZE_TYPE__ size_t;
typedef int (*compare_fn)(const void *, const void *);
typedef int (*compare_arg_fn)(const void *, const void *, void *);

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);

#define WEAK __attribute__((weak))

/* ---- sorting --------------------------------------------------------------- */

struct order {
    size_t size;
    compare_arg_fn compare;
    void *argument;
    char *scratch;
};

/* Recursion halves: it is never deeper than the bits of a size. */
static void merge_sort(const struct order *order, char *base, size_t count) {
    if (count <= 1)
        return;
    size_t size = order->size;
    size_t left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *out = order->scratch;
    merge_sort(order, a, left);
    merge_sort(order, b, right);
    while (left > 0 && right > 0) {
        if (order->compare(a, b, order->argument) <= 0) {
            memcpy(out, a, size);
            a += size;
            left--;
        } else {
            memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left > 0)
        memcpy(out, a, left * size);
    memcpy(base, order->scratch, (count - right) * size);
}

/* Without room to merge: slower, as stable. */
static void insertion_sort(const struct order *order, char *base, size_t count) {
    size_t size = order->size;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            char *a = base + (j - 1) * size, *b = a + size;
            if (order->compare(a, b, order->argument) <= 0)
                break;
            for (size_t k = 0; k < size; k++) {
                char byte = a[k];
                a[k] = b[k];
                b[k] = byte;
            }
        }
}

WEAK void qsort_r(void *base, size_t count, size_t size, compare_arg_fn compare, void *argument) {
    if (count <= 1 || size == 0)
        return;
    struct order order = {size, compare, argument, 0};
    if (count * size <= 1024) {
        char scratch[count * size];
        order.scratch = scratch;
        merge_sort(&order, base, count);
        return;
    }
    order.scratch = malloc(count * size);
    if (order.scratch) {
        merge_sort(&order, base, count);
        free(order.scratch);
    } else {
        insertion_sort(&order, base, count);
    }
}

struct plain {
    compare_fn compare;
};

static int compare_plain(const void *a, const void *b, void *argument) {
    return ((struct plain *)argument)->compare(a, b);
}

WEAK void qsort(void *base, size_t count, size_t size, compare_fn compare) {
    struct plain plain = {compare};
    qsort_r(base, count, size, compare_plain, &plain);
}

/* ---- searching ------------------------------------------------------------- */

WEAK void *bsearch(const void *key, const void *base, size_t count, size_t size,
                   compare_fn compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return 0;
}

WEAK void *lfind(const void *key, const void *base, size_t *count, size_t size,
                 compare_fn compare) {
    const char *element = base;
    for (size_t i = 0; i < *count; i++, element += size)
        if (compare(key, element) == 0)
            return (void *)element;
    return 0;
}

WEAK void *lsearch(const void *key, void *base, size_t *count, size_t size, compare_fn compare) {
    void *found = lfind(key, base, count, size, compare);
    if (found)
        return found;
    char *end = (char *)base + *count * size;
    memcpy(end, key, size);
    ++*count;
    return end;
}
