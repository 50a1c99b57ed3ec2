/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of any MPI library in C: blocking, non-blocking and, where the library has them
 * (Open MPI 4's extension), persistent. The default error handler (abort) is the error handling. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "../c/player.h"
#include "mpi_player_messages.h"

#ifdef OPEN_MPI
#define IMPL "openmpi"
#elif !defined IMPL
#define IMPL "mpich"
#endif

#define WORLD MPI_COMM_WORLD

static int mpi_rank(void)
{
    int rank;

    MPI_Comm_rank(WORLD, &rank);
    return rank;
}

static int mpi_size(void)
{
    int size;

    MPI_Comm_size(WORLD, &size);
    return size;
}

static void mpi_abort(void)
{
    MPI_Abort(WORLD, 1);
}

static void *mpi_alloc(size_t bytes, const char *memory)
{
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    void *data = aligned_alloc(4096, rounded);

    (void)memory;
    if (!data) mpi_abort();
    return memset(data, 0, rounded);
}

static void mpi_release(void *data, const char *memory)
{
    (void)memory;
    free(data);
}

static void mpi_barrier(void)
{
    MPI_Barrier(WORLD);
}

static MPI_Datatype number(const struct player_case *one)
{
    return one->floats ? MPI_FLOAT : MPI_DOUBLE;
}

static int open_blocking(struct player_case *one)
{
    if (one->op == OP_BCAST) one->result = one->in;
    if (one->op >= OP_PINGPONG) return messages_open(one);
    return one->op == OP_INIT ? -1 : 0;
}

static void finish_blocking(struct player_case *one)
{
    int bytes = (int)one->bytes, count = (int)one->count;

    switch (one->op) {
    case OP_ALLREDUCE: MPI_Allreduce(one->in, one->out, count, number(one), MPI_SUM, WORLD); break;
    case OP_BCAST: MPI_Bcast(one->in, bytes, MPI_BYTE, PLAYER_ROOT, WORLD); break;
    case OP_ALLTOALL:
        MPI_Alltoall(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, WORLD);
        break;
    case OP_ALLGATHER:
        MPI_Allgather(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, WORLD);
        break;
    case OP_REDUCE:
        MPI_Reduce(one->in, one->out, count, number(one), MPI_SUM, PLAYER_ROOT, WORLD);
        break;
    case OP_GATHER:
        MPI_Gather(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, PLAYER_ROOT, WORLD);
        break;
    case OP_SCATTER:
        MPI_Scatter(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, PLAYER_ROOT, WORLD);
        break;
    case OP_REDUCE_SCATTER:
        MPI_Reduce_scatter_block(one->in, one->out, count, number(one), MPI_SUM, WORLD);
        break;
    case OP_BARRIER: MPI_Barrier(WORLD); break;
    default: messages_call(one);
    }
}

static void close_blocking(struct player_case *one)
{
    if (one->op >= OP_PINGPONG) messages_close(one);
}

static MPI_Request *request(struct player_case *one, int index)
{
    _Static_assert(sizeof(MPI_Request) <= sizeof one->handles[0], "a request fits a handle");
    return (MPI_Request *)&one->handles[index];
}

/* For the measurement of overlap only. */
static int open_nonblocking(struct player_case *one)
{
    if (one->op == OP_BCAST) one->result = one->in;
    return one->op == OP_ALLREDUCE || one->op == OP_BCAST ? 0 : -1;
}

static void start_nonblocking(struct player_case *one)
{
    if (one->op == OP_BCAST)
        MPI_Ibcast(one->in, (int)one->bytes, MPI_BYTE, PLAYER_ROOT, WORLD, request(one, 0));
    else
        MPI_Iallreduce(one->in, one->out, (int)one->count, number(one), MPI_SUM, WORLD,
                       request(one, 0));
}

static void poll_request(struct player_case *one)
{
    int done;

    /* Once complete the request is null, for which this returns at once. */
    MPI_Test(request(one, 0), &done, MPI_STATUS_IGNORE);
}

static void finish_request(struct player_case *one)
{
    MPI_Wait(request(one, 0), MPI_STATUS_IGNORE);
}

#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INFO MPI_INFO_NULL

static void persistent_init(struct player_case *one, MPI_Request *made)
{
    int bytes = (int)one->bytes, count = (int)one->count;

    switch (one->op) {
    case OP_INIT:
    case OP_ALLREDUCE:
        MPIX_Allreduce_init(one->in, one->out, count, number(one), MPI_SUM, WORLD, INFO, made);
        break;
    case OP_BCAST: MPIX_Bcast_init(one->in, bytes, MPI_BYTE, PLAYER_ROOT, WORLD, INFO, made); break;
    case OP_ALLTOALL:
        MPIX_Alltoall_init(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, WORLD, INFO, made);
        break;
    case OP_ALLGATHER:
        MPIX_Allgather_init(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, WORLD, INFO, made);
        break;
    case OP_REDUCE:
        MPIX_Reduce_init(one->in, one->out, count, number(one), MPI_SUM, PLAYER_ROOT, WORLD, INFO,
                         made);
        break;
    case OP_GATHER:
        MPIX_Gather_init(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, PLAYER_ROOT, WORLD,
                         INFO, made);
        break;
    case OP_SCATTER:
        MPIX_Scatter_init(one->in, bytes, MPI_BYTE, one->out, bytes, MPI_BYTE, PLAYER_ROOT, WORLD,
                          INFO, made);
        break;
    case OP_REDUCE_SCATTER:
        MPIX_Reduce_scatter_block_init(one->in, one->out, count, number(one), MPI_SUM, WORLD, INFO,
                                       made);
        break;
    case OP_BARRIER: MPIX_Barrier_init(WORLD, INFO, made); break;
    default: mpi_abort();
    }
}

static int open_persistent(struct player_case *one)
{
    if (one->op >= OP_PINGPONG) return -1;
    if (one->op == OP_BCAST) one->result = one->in;
    if (one->op != OP_INIT) persistent_init(one, request(one, 0));
    return 0;
}

static void start_persistent(struct player_case *one)
{
    if (one->op != OP_INIT) MPI_Start(request(one, 0));
}

static void finish_persistent(struct player_case *one)
{
    if (one->op != OP_INIT) finish_request(one);
    else persistent_init(one, request(one, one->inits++));
}

static void settle_persistent(struct player_case *one)
{
    for (int i = 0; i < one->inits; i++) MPI_Request_free(request(one, i));
}

static void close_persistent(struct player_case *one)
{
    if (one->op != OP_INIT) MPI_Request_free(request(one, 0));
}
#endif

static const struct player_series series[] = {
    {.name = IMPL,
     .memory = "malloc",
     .open = open_blocking,
     .finish = finish_blocking,
     .close = close_blocking},
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
    {.name = IMPL "-persistent",
     .memory = "malloc",
     .open = open_persistent,
     .start = start_persistent,
     .poll = poll_request,
     .finish = finish_persistent,
     .settle = settle_persistent,
     .close = close_persistent},
#endif
    {.name = IMPL "-nonblocking",
     .memory = "malloc",
     .open = open_nonblocking,
     .start = start_nonblocking,
     .finish = finish_request},
    {.name = IMPL "-nonblocking-test",
     .memory = "malloc",
     .open = open_nonblocking,
     .start = start_nonblocking,
     .poll = poll_request,
     .finish = finish_request},
    {.name = NULL},
};

static const struct player_library library = {
    .impl = IMPL,
    .series = series,
    .rank = mpi_rank,
    .size = mpi_size,
    .alloc = mpi_alloc,
    .release = mpi_release,
    .barrier = mpi_barrier,
    .abort = mpi_abort,
};

int main(int argc, char **argv)
{
    int code;

    MPI_Init(&argc, &argv);
    code = player_main(&library, argc, argv);
    MPI_Finalize();
    return code;
}
