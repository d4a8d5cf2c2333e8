/* A loop of libuv with work for its thread pool, a timer and a signal between
 * threads (uv_async_send). */
#include <assert.h>
#include <uv.h>
static int done, woken, ticked;
static uv_async_t async;
static void work(uv_work_t *request) { *(int *)request->data *= 2; uv_async_send(&async); }
static void after(uv_work_t *request, int status) { assert(status == 0); done += *(int *)request->data; }
static void wake(uv_async_t *handle) { woken = 1; uv_close((uv_handle_t *)handle, 0); }
static void tick(uv_timer_t *timer) { ticked = 1; uv_close((uv_handle_t *)timer, 0); }
int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_work_t requests[2];
    uv_timer_t timer;
    int values[2] = {1, 2};
    uv_async_init(loop, &async, wake);
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, tick, 1, 0);
    for (int i = 0; i < 2; i++) {
        requests[i].data = &values[i];
        uv_queue_work(loop, &requests[i], work, after);
    }
    uv_run(loop, UV_RUN_DEFAULT);
    assert(done == 6 && woken && ticked);
    uv_loop_close(loop);
    return 0;
}
