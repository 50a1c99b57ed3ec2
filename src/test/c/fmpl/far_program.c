/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that talk to each other in all manners until the connection of two of them breaks, which
 * each finds out by itself: by PEER_FAILED, and soon. */
#include "fmpl/scenario.h"
#include "init/join.h"

#define LONG (UINT64_C(300) << 10)

static uint8_t *heap_out, *heap_in, *out, *in;

static int around(const uint8_t *from, uint8_t *to, uint64_t bytes)
{
    int ier = 0, sent = 0, next = (rank + 1) % size, last = (rank + size - 1) % size;
    fmpl_request_t request = FMPL_REQUEST_NULL;
    fmpl_irecv(to, bytes, last, 0, &request, &ier);
    fmpl_send(from, bytes, next, 0, &sent);
    if (!ier && !sent) fmpl_wait(&request, &ier);
    if (!ier && !sent) CHECK(memcmp(to, from, bytes) == 0);
    return ier ? ier : sent;
}

static int late_receive(uint64_t bytes)
{
    int ier = 0, received = 0, next = (rank + 1) % size, last = (rank + size - 1) % size;
    fmpl_request_t request = FMPL_REQUEST_NULL;
    fmpl_isend(out, bytes, next, 1, &request, &ier);
    if (!ier) fmpl_recv(in, bytes, last, 1, &received);
    if (!ier && !received) fmpl_wait(&request, &ier);
    return ier ? ier : received;
}

static int reduce_all(void)
{
    double work[2000], data[2000];
    int ier = 0;
    for (int i = 0; i < 2000; i++) data[i] = i;
    fmpl_allreduce(data, 2000, FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, work, &ier);
    if (!ier) CHECK(data[1999] == 1999.0 * size);
    return ier;
}

static int talk(int what)
{
    int ier = 0;
    switch (what % 8) {
    case 0: return around(out, in, 8);
    case 1: return around(out, in, 150);
    case 2: return around(out, in, 3000);
    case 3: return around(out, in, LONG);
    case 4: return around(heap_out, heap_in, LONG);
    case 5: return late_receive(LONG);
    case 6: return reduce_all();
    default: fmpl_barrier(FMPL_COMM_WORLD, &ier); return ier;
    }
}

static int until_it_breaks(void)
{
    for (int what = 0; what < 4000; what++) {
        int ier = talk(what);
        if (ier) return ier;
    }
    return 0;
}

int main(void)
{
    int ier = 1;
    start_ranks(2);
    scenario_now = "until_it_breaks";
    heap_out = memory_of(true, LONG), heap_in = memory_of(true, LONG);
    out = memory_of(false, LONG), in = memory_of(false, LONG);
    fill(out, LONG, 1), fill(heap_out, LONG, 1);
    CHECK_CODE(until_it_breaks(), HAYATE_ERR_PEER_FAILED);
    /* Nobody leaves before both know: it is the path that told them, not the launcher. */
    if (size == 2) {
        CHECK(strstr(hayate_error(), "connection") != NULL);
        CHECK_OK(hy_boot_fence(&hy_process_job()->boot));
    }
    /* A rank that learns of it only by another one that has left has made other calls than that. */
    fmpl_finalize(&ier);
    if (size == 2 || ier != HAYATE_ERR_MISMATCH) CHECK_OK(ier);
    CHECK_OK(hayate_finalize());
    free(out), free(in);
    return 0;
}
