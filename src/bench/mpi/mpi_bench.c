/* SPDX-License-Identifier: Apache-2.0 */
/* Adapter for any MPI library in C. The default error handler (abort) is the error handling. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "../c/harness.h"

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

static void mpi_abort(void)
{
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *mpi_alloc(size_t bytes, const char *kind)
{
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    void *memory = aligned_alloc(4096, rounded);

    (void)kind;
    if (!memory) mpi_abort();
    return memset(memory, 0, rounded);
}

static void mpi_send(const void *data, size_t bytes, int peer)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
}

static void mpi_recv(void *data, size_t bytes, int peer)
{
    MPI_Recv(data, (int)bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mpi_bcast(void *data, size_t bytes, int root)
{
    MPI_Bcast(data, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

static double *mpi_reduce(double *in, double *out, size_t count, int root)
{
    MPI_Reduce(in, out, (int)count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    return out;
}

static double *mpi_allreduce(double *in, double *out, size_t count)
{
    MPI_Allreduce(in, out, (int)count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return out;
}

static void mpi_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#ifdef OPEN_MPI
#define IMPL "openmpi-c"
#else
#define IMPL "mpich-c"
#endif

static const struct bench_library library = {
    .impl = IMPL,
    .path = "default",
    .buffer_kinds = {"direct", NULL},
    .rank = mpi_rank,
    .size = mpi_size,
    .alloc = mpi_alloc,
    .send = mpi_send,
    .recv = mpi_recv,
    .bcast = mpi_bcast,
    .reduce = mpi_reduce,
    .allreduce = mpi_allreduce,
    .barrier = mpi_barrier,
    .abort = mpi_abort,
};

int main(int argc, char **argv)
{
    int code;

    MPI_Init(&argc, &argv);
    code = harness_main(&library, argc, argv);
    MPI_Finalize();
    return code;
}
