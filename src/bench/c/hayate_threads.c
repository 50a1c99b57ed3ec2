/* SPDX-License-Identifier: Apache-2.0 */
/* The global space of hayate/ompl.h against the number of threads. Endpoints as
 * HAYATE_ENDPOINTS says. */
#include <hayate/fmpl.h>
#include <hayate/ompl.h>

#include <stdio.h>
#include <stdlib.h>

#include "lines.h"
#include "threads.h"

static uint64_t done[THREADS_MOST][32]; /* each on lines of its own */
static char *out[THREADS_MOST];         /* data of a lane */
static size_t bytes;
static int lanes_in_all;

static void need(int code, const char *call)
{
    if (code == HAYATE_OK) return;
    fprintf(stderr, "hayate-c: %s: %s: %s\n", call, hayate_strerror(code), hayate_error());
    fflush(NULL);
    _Exit(1); /* the launcher ends the other ranks */
}

static void open_lanes(int lanes, size_t size)
{
    lanes_in_all = lanes;
    bytes = size;
    for (int i = 0; i < lanes; i++) out[i] = threads_memory(bytes);
    need(ompl_init((size_t)lanes * threads_stride(bytes)), "ompl_init");
}

static void barrier(void)
{
    int ier;

    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    need(ier, "fmpl_barrier");
}

static long tell(long value)
{
    int ier;

    fmpl_bcast(&value, sizeof value, 0, FMPL_COMM_WORLD, &ier);
    need(ier, "fmpl_bcast");
    return value;
}

/* The other one of the pair: threads of two ranks, or one rank each. */
static int partner(int lane, int side)
{
    return hayate_size() == 2 ? 1 - side : side ? lane : lane + lanes_in_all;
}

static uint64_t place(int lane)
{
    return (uint64_t)lane * threads_stride(bytes);
}

/* Of the data in a lane, which a flag has told. */
static void expect(int lane, uint64_t turn)
{
    threads_expect((const char *)ompl_memory() + place(lane) + threads_data(bytes), bytes, turn);
}

static void put(int lane, int peer, uint64_t turn)
{
    lines_write(out[lane], bytes, turn);
    need(ompl_put(out[lane], peer, place(lane) + threads_data(bytes), bytes), "ompl_put");
}

static void put_signal(int lane, int peer, const ompl_flag_t *flag)
{
    lines_write(out[lane], bytes, flag->value);
    need(ompl_put_signal(out[lane], peer, place(lane) + threads_data(bytes), bytes, place(lane),
                         flag),
         "ompl_put_signal");
}

static void pingpong(int lane, int side, long turns)
{
    const uint64_t at = place(lane);
    int peer = partner(lane, side);
    ompl_flag_t flag = {done[lane][0], {0, 0, 0}};

    for (long i = 0; i < turns; i++) {
        flag.value++;
        if (side == 0) put_signal(lane, peer, &flag);
        need(ompl_wait_until(at, OMPL_EQ, flag.value, OMPL_FOREVER, 0, NULL), "ompl_wait_until");
        expect(lane, flag.value);
        if (side == 1) put_signal(lane, peer, &flag);
    }
    done[lane][0] = flag.value;
}

static void windows(int lane, int side, long turns)
{
    const uint64_t at = place(lane);
    int peer = partner(lane, side);
    ompl_flag_t flag = {done[lane][0], {0, 0, 0}};

    for (long i = 0; i < turns; i++) {
        flag.value++;
        for (int k = 1; k < THREADS_WINDOW && side == 0; k++)
            put(lane, peer, flag.value + (uint64_t)k);
        if (side == 0) put_signal(lane, peer, &flag);
        need(ompl_wait_until(at, OMPL_EQ, flag.value, OMPL_FOREVER, 0, NULL), "ompl_wait_until");
        if (side == 1) expect(lane, flag.value);
        if (side == 1) need(ompl_put_flag(peer, at, &flag), "ompl_put_flag");
    }
    done[lane][0] = flag.value;
}

int main(int argc, char **argv)
{
    const char *endpoints = getenv("HAYATE_ENDPOINTS");
    const struct threads_library library = {
        .impl = "hayate-c",
        .path = endpoints && atoi(endpoints) > 0 ? endpoints : "thread",
        .rank = hayate_rank,
        .size = hayate_size,
        .open = open_lanes,
        .barrier = barrier,
        .tell = tell,
        .pingpong = pingpong,
        .windows = windows,
    };
    int code, ier;

    need(hayate_init(), "hayate_init");
    fmpl_init(NULL, NULL, FMPL_DEFAULT_COUNT, &ier);
    need(ier, "fmpl_init");
    code = threads_main(&library, argc, argv);
    fmpl_finalize(&ier);
    hayate_finalize();
    return code;
}
