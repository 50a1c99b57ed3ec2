/* SPDX-License-Identifier: Apache-2.0 */
/* What the ranks of an MPI library take, as `hayate perf footprint` measures it: all ranks send to
 * all others, BYTES in each of ROUNDS, with barriers between them; then rank 0 adds up memory (PSS)
 * and page tables of all ranks, which are still there. Prints a line of JSON. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OPEN_MPI
#define IMPL "openmpi"
#else
#define IMPL "mpich"
#endif

#define MOST_RANKS 1024

static void quit(const char *why)
{
    fprintf(stderr, IMPL ": %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* KiB behind a name in a file of /proc. */
static double kib_of(int pid, const char *file, const char *name)
{
    char path[64], line[256];
    double kib = -1;
    FILE *text;

    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    text = fopen(path, "r");
    if (!text) quit(path);
    while (kib < 0 && fgets(line, sizeof line, text))
        if (strncmp(line, name, strlen(name)) == 0) kib = strtod(line + strlen(name), NULL);
    fclose(text);
    if (kib < 0) quit(name);
    return kib;
}

static void send_to_all(char *out, char *in, int bytes, int rank, int size)
{
    static MPI_Request requests[2 * MOST_RANKS];
    static MPI_Status statuses[2 * MOST_RANKS];
    int count = 0;

    for (int peer = 0; peer < size; peer++)
        if (peer != rank)
            MPI_Irecv(in + (size_t)peer * (size_t)bytes, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD,
                      &requests[count++]);
    for (int peer = 0; peer < size; peer++)
        if (peer != rank)
            MPI_Isend(out, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Waitall(count, requests, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void report(int bytes, int size, const int *pids)
{
    double memory = 0, tables = 0;

    for (int i = 0; i < size; i++) {
        memory += kib_of(pids[i], "smaps_rollup", "Pss:");
        tables += kib_of(pids[i], "status", "VmPTE:");
    }
    printf("{\"impl\":\"" IMPL "\",\"bench\":\"footprint\",\"ranks\":%d,\"as\":\"" IMPL "\","
           "\"bytes\":%d,\"memory_per_rank_kib\":%.1f,\"page_tables_per_rank_kib\":%.1f}\n",
           size, bytes, memory / size, tables / size);
}

int main(int argc, char **argv)
{
    int rank, size, pid = (int)getpid(), pids[MOST_RANKS];
    int bytes = argc > 2 ? atoi(argv[1]) : 0, rounds = argc > 2 ? atoi(argv[2]) : 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (bytes < 1 || rounds < 1 || size > MOST_RANKS) quit("usage: BYTES ROUNDS");
    char *out = malloc((size_t)bytes), *in = malloc((size_t)bytes * (size_t)size);
    if (!out || !in) quit("no memory");
    for (int round = 0; round < rounds; round++) {
        memset(out, round, (size_t)bytes);
        send_to_all(out, in, bytes, rank, size);
        for (int peer = 0; peer < size; peer++)
            if (peer != rank && in[(size_t)peer * (size_t)bytes] != (char)round) quit("wrong data");
    }
    MPI_Gather(&pid, 1, MPI_INT, pids, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) report(bytes, size, pids);
    MPI_Barrier(MPI_COMM_WORLD); /* all are there until then */
    MPI_Finalize();
    free(out);
    free(in);
    return 0;
}
