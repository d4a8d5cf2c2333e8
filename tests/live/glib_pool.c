/* A thread pool of GLib adds numbers. */
#include <glib.h>
static void job(gpointer data, gpointer user) { g_atomic_int_add((gint *)user, GPOINTER_TO_INT(data)); }
int main(void) {
    gint sum = 0;
    GThreadPool *pool = g_thread_pool_new(job, &sum, 2, TRUE, NULL);
    for (int i = 1; i <= 4; i++) g_thread_pool_push(pool, GINT_TO_POINTER(i), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    g_assert_cmpint(sum, ==, 10);
    return 0;
}
