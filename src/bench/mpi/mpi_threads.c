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

#include "../c/threads.h"

#define APART 256
#define WORDS (APART / 8)

static MPI_Comm lane_comm[THREADS_MOST];
static MPI_Win window;
static _Atomic uint64_t *memory; /* of the window; lane i at i * WORDS */
static uint64_t done[THREADS_MOST][WORDS];
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

static void open_messages(int lanes)
{
    lanes_in_all = lanes;
    for (int i = 0; i < lanes; i++) MPI_Comm_dup(MPI_COMM_WORLD, &lane_comm[i]);
}

static void send(int lane, int peer, const uint64_t *data)
{
    MPI_Send(data, sizeof *data, MPI_BYTE, peer, 0, lane_comm[lane]);
}

static void receive(int lane, int peer, uint64_t expected)
{
    uint64_t data;

    MPI_Recv(&data, sizeof data, MPI_BYTE, peer, 0, lane_comm[lane], MPI_STATUS_IGNORE);
    threads_expect(data, expected);
}

static void message_pingpong(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t data = 0;

    for (long i = 0; i < turns; i++) {
        data++;
        if (side == 0) send(lane, peer, &data);
        receive(lane, peer, data);
        if (side == 1) send(lane, peer, &data);
    }
}

static void message_windows(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t data = 0;

    for (long i = 0; i < turns; i++) {
        for (int k = 0; k < THREADS_WINDOW; k++) {
            data++;
            if (side == 0) send(lane, peer, &data);
            else receive(lane, peer, data);
        }
        if (side == 0) receive(lane, peer, data);
        else send(lane, peer, &data);
    }
}

/* ---- put ---- */

static void open_window(int lanes)
{
    MPI_Aint bytes = (MPI_Aint)lanes * APART;

    lanes_in_all = lanes;
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset((void *)memory, 0, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void put(int lane, int word, int peer, const uint64_t *value)
{
    MPI_Put(value, 8, MPI_BYTE, peer, (MPI_Aint)lane * APART + word * 8, 8, MPI_BYTE, window);
}

/* Data, then flag: MPI orders the two by a flush only. */
static void put_signal(int lane, int peer, const uint64_t *data, const uint64_t *flag)
{
    put(lane, 4, peer, data);
    MPI_Win_flush(peer, window);
    put(lane, 0, peer, flag);
    MPI_Win_flush(peer, window);
}

/* Who polls lets others run now and then, and MPI work. */
static void wait_for(int lane, uint64_t value)
{
    for (int polls = 1; atomic_load(&memory[lane * WORDS]) != value; polls++) {
        MPI_Win_sync(window);
        if (polls % 256 == 0) {
            int arrived;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
            sched_yield();
        }
    }
}

static void put_pingpong(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = done[lane][0];

    for (long i = 0; i < turns; i++) {
        turn++;
        if (side == 0) put_signal(lane, peer, &turn, &turn);
        wait_for(lane, turn);
        threads_expect(memory[lane * WORDS + 4], turn);
        if (side == 1) put_signal(lane, peer, &turn, &turn);
    }
    done[lane][0] = turn;
}

static void put_windows(int lane, int side, long turns)
{
    int peer = partner(lane, side);
    uint64_t turn = done[lane][0], data[THREADS_WINDOW];

    for (long i = 0; i < turns; i++) {
        turn++;
        for (int k = 1; k < THREADS_WINDOW && side == 0; k++) {
            data[k] = turn + (uint64_t)k; /* until the flush */
            put(lane, 4, peer, &data[k]);
        }
        if (side == 0) put_signal(lane, peer, &turn, &turn);
        wait_for(lane, turn);
        if (side == 1) {
            threads_expect(memory[lane * WORDS + 4], turn);
            put(lane, 0, peer, &turn);
            MPI_Win_flush(peer, window);
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
