/* SPDX-License-Identifier: Apache-2.0 */
/* MPI under MPI_THREAD_MULTIPLE against the number of threads: send and receive, a communicator for
 * each pair, or (MPI_THREADS_RMA=1) put and a flag in a window that the target polls. The default
 * error handler (abort) is the error handling. */
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../c/lines.h"
#include "../c/threads.h"

static MPI_Comm lane_comm[THREADS_MOST];
static MPI_Win window;
static char *memory; /* of the window; lane i at i * threads_stride(bytes) */
static uint64_t done[THREADS_MOST][32];
static char *out[THREADS_MOST]; /* data of a lane; of puts, a window of them */
static char *in[THREADS_MOST];  /* of a receive */
static size_t bytes;
static int lanes_in_all;

static int mpi_rank(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int mpi_size(void)
{
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static long tell(long value)
{
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}

static int partner(int lane, int side)
{
    return mpi_size() == 2 ? 1 - side : side ? lane : lane + lanes_in_all;
}

/* ---- send and receive ---- */

static void open_messages(int lanes, size_t size)
{
    lanes_in_all = lanes;
    bytes = size;
    for (int i = 0; i < lanes; i++) {
        out[i] = threads_memory(bytes);
        in[i] = threads_memory(bytes);
        MPI_Comm_dup(MPI_COMM_WORLD, &lane_comm[i]);
    }
}

static void send(int lane, int peer, uint64_t turn)
{
    lines_write(out[lane], bytes, turn);
    MPI_Send(out[lane], (int)bytes, MPI_BYTE, peer, 0, lane_comm[lane]);
}

static void receive(int lane, int peer, uint64_t turn)
{
    MPI_Recv(in[lane], (int)bytes, MPI_BYTE, peer, 0, lane_comm[lane], MPI_STATUS_IGNORE);
    threads_expect(in[lane], bytes, turn);
}

static void message_pingpong(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = 0;

    for (long i = 0; i < turns; i++) {
        turn++;
        if (side == 0) send(lane, peer, turn);
        receive(lane, peer, turn);
        if (side == 1) send(lane, peer, turn);
    }
}

/* 8 bytes that end a window. */
static void answer(int lane, int peer, uint64_t turn)
{
    MPI_Send(&turn, sizeof turn, MPI_BYTE, peer, 0, lane_comm[lane]);
}

static void answered(int lane, int peer, uint64_t turn)
{
    uint64_t got;

    MPI_Recv(&got, sizeof got, MPI_BYTE, peer, 0, lane_comm[lane], MPI_STATUS_IGNORE);
    if (got == turn) return;
    fprintf(stderr, "wrong answer: %lu instead of %lu\n", got, turn);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void message_windows(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = 0;

    for (long i = 0; i < turns; i++) {
        for (int k = 0; k < THREADS_WINDOW; k++) {
            turn++;
            if (side == 0) send(lane, peer, turn);
            else receive(lane, peer, turn);
        }
        if (side == 0) answered(lane, peer, turn);
        else answer(lane, peer, turn);
    }
}

/* ---- put ---- */

static void open_window(int lanes, size_t size)
{
    size_t all = (size_t)lanes * threads_stride(size);

    lanes_in_all = lanes;
    bytes = size;
    for (int i = 0; i < lanes; i++) out[i] = threads_memory(THREADS_WINDOW * bytes);
    MPI_Win_allocate((MPI_Aint)all, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, all);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void put(const void *from, size_t size, int peer, size_t to)
{
    MPI_Put(from, (int)size, MPI_BYTE, peer, (MPI_Aint)to, (int)size, MPI_BYTE, window);
}

/* `slot` of the window: MPI may read the data until the flush. */
static void put_data(int lane, int slot, int peer, uint64_t turn)
{
    char *data = out[lane] + (size_t)slot * bytes;

    lines_write(data, bytes, turn);
    put(data, bytes, peer, (size_t)lane * threads_stride(bytes) + threads_data(bytes));
}

static void put_flag(int lane, int peer, uint64_t turn)
{
    put(&turn, sizeof turn, peer, (size_t)lane * threads_stride(bytes));
    MPI_Win_flush(peer, window);
}

/* Data, then flag: MPI orders the two by a flush only. */
static void put_signal(int lane, int peer, uint64_t turn)
{
    put_data(lane, 0, peer, turn);
    MPI_Win_flush(peer, window);
    put_flag(lane, peer, turn);
}

/* Who polls lets others run now and then, and MPI work. */
static void wait_for(int lane, uint64_t value)
{
    _Atomic uint64_t *flag = (void *)(memory + (size_t)lane * threads_stride(bytes));

    for (int polls = 1; atomic_load(flag) != value; polls++) {
        MPI_Win_sync(window);
        if (polls % 256 == 0) {
            int arrived;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
            sched_yield();
        }
    }
}

static void expect(int lane, uint64_t turn)
{
    threads_expect(memory + (size_t)lane * threads_stride(bytes) + threads_data(bytes), bytes,
                   turn);
}

static void put_pingpong(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = done[lane][0];

    for (long i = 0; i < turns; i++) {
        turn++;
        if (side == 0) put_signal(lane, peer, turn);
        wait_for(lane, turn);
        expect(lane, turn);
        if (side == 1) put_signal(lane, peer, turn);
    }
    done[lane][0] = turn;
}

static void put_windows(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = done[lane][0];

    for (long i = 0; i < turns; i++) {
        turn++;
        for (int k = 1; k < THREADS_WINDOW && side == 0; k++)
            put_data(lane, k, peer, turn + (uint64_t)k);
        if (side == 0) put_signal(lane, peer, turn);
        wait_for(lane, turn);
        if (side == 1) {
            expect(lane, turn);
            put_flag(lane, peer, turn);
        }
    }
    done[lane][0] = turn;
}

#ifdef OPEN_MPI
#define IMPL "openmpi-c"
#else
#define IMPL "mpich-c"
#endif

int main(int argc, char **argv)
{
    int rma = getenv("MPI_THREADS_RMA") != NULL, provided, code;
    struct threads_library library = {
        .impl = IMPL, .rank = mpi_rank, .size = mpi_size, .barrier = barrier, .tell = tell};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) {
        fprintf(stderr, IMPL ": no MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    library.path = rma ? "put" : "send";
    library.open = rma ? open_window : open_messages;
    library.pingpong = rma ? put_pingpong : message_pingpong;
    library.windows = rma ? put_windows : message_windows;
    code = threads_main(&library, argc, argv);
    if (rma) {
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return code;
}
