/* SPDX-License-Identifier: Apache-2.0 */
/* A farm: rank 0 receives a result from MPI_ANY_SOURCE and answers with a task, by the rules of
 * ../java/FarmBench.java. Both have 8 bytes, which change with every message and are checked.
 * Prints the time of rank 0 for one task. Argument: MILLISECONDS. The default error handler (abort)
 * is the error handling. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../c/samples.h"

#define TAG 0
#define MOST_RANKS 1024
#define SAMPLE_NS 50000000u /* some time slices of the scheduler, because ranks share cores */
#define WARM_UP_NS 1500000000u
#define TASKS_A_LOOK 16 /* at the clock */
#define END (-1)

static int64_t given[MOST_RANKS]; /* to each rank */
static int rank, ranks;

static int64_t result(int64_t task, int worker)
{
    return 3 * task + worker;
}

static void give(int64_t task, int worker)
{
    given[worker] = task;
    MPI_Send(&task, 1, MPI_INT64_T, worker, TAG, MPI_COMM_WORLD);
}

static int receive(void)
{
    int64_t got;
    MPI_Status status;

    MPI_Recv(&got, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    if (got != result(given[status.MPI_SOURCE], status.MPI_SOURCE)) {
        fprintf(stderr, "mpi_farm: rank %d sent wrong data\n", status.MPI_SOURCE);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return status.MPI_SOURCE;
}

/* One sample; returns its tasks. */
static int64_t serve(void)
{
    int working = ranks - 1, goes_on = 1;
    int64_t tasks = 0;
    uint64_t begin = samples_now_ns();

    memset(given, 0, sizeof given);
    while (working > 0) {
        int worker = receive();

        if (goes_on) {
            give(++tasks, worker);
            if (tasks % TASKS_A_LOOK == 0) goes_on = samples_now_ns() - begin < SAMPLE_NS;
        } else {
            give(END, worker);
            working--;
        }
    }
    return tasks + ranks - 1;
}

static void work(void)
{
    int64_t task = 0;

    do {
        int64_t found = result(task, rank);

        MPI_Send(&found, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } while (task != END);
}

static void measure(uint64_t budget_ns, struct samples *samples)
{
    uint64_t begin = samples_now_ns();

    for (;;) {
        uint64_t start = samples_now_ns(), spent = start - begin;
        int goes_on = spent < WARM_UP_NS + budget_ns || samples->count == 0;

        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!goes_on) return;
        MPI_Barrier(MPI_COMM_WORLD);
        start = samples_now_ns();
        if (rank != 0) {
            work();
        } else {
            int64_t tasks = serve();

            if (spent >= WARM_UP_NS) samples_add(samples, samples_now_ns() - start, (double)tasks);
        }
    }
}

int main(int argc, char **argv)
{
    static struct samples samples;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2 || ranks < 2 || ranks > MOST_RANKS) {
        fprintf(stderr, "usage (on 2 to %d ranks): mpi_farm MILLISECONDS\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    measure(strtoull(argv[1], NULL, 10) * 1000000u, &samples);
    if (rank == 0) {
        samples_print(&samples, &(struct sample_case){.impl = "openmpi-c",
                                                      .bench = "farm",
                                                      .path = "default",
                                                      .buffers = "direct",
                                                      .bytes = 8,
                                                      .ranks = ranks,
                                                      .batch = 1});
    }
    MPI_Finalize();
    return 0;
}
