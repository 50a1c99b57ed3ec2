/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine allows for blacs_bench.c: the few BLACS that its ping-pong calls, for two pinned
 * processes. A matrix is copied column by column into shared memory, a flag follows, and the
 * partner copies it out. Nothing is matched, nor checked. From about 64 KB on, a library can be
 * faster: its two copies can overlap, or it can do with one. */
#define _GNU_SOURCE
#include <hayate/blacs.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "blacs_pair.h"

#define LARGEST (32 << 20)

/* From one process to the other. Each message has the next number. */
typedef struct slot {
    _Alignas(64) _Atomic unsigned sent;
    _Alignas(64) _Atomic unsigned taken;
    _Alignas(64) unsigned char data[LARGEST];
} slot;

static slot *slots;
static int rank;

static void wait_for(_Atomic unsigned *count, unsigned value)
{
    while (atomic_load_explicit(count, memory_order_acquire) != value) continue;
}

void Cblacs_pinfo(int *me, int *processes)
{
    cpu_set_t one;
    slots = mmap(NULL, 2 * sizeof *slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                 0);
    if (slots == MAP_FAILED || (rank = fork()) < 0) exit(1);
    rank = rank == 0;
    if (rank) prctl(PR_SET_PDEATHSIG, SIGKILL);
    CPU_ZERO(&one);
    CPU_SET(rank, &one);
    sched_setaffinity(0, sizeof one, &one);
    *me = rank;
    *processes = 2;
}

static void send_columns(int m, int n, const double *a, int lda, int upper)
{
    static unsigned sent;
    slot *to = &slots[rank];
    unsigned char *at = to->data;
    wait_for(&to->taken, sent);
    for (int j = 0; j < n; at += column(m, j, upper), j++)
        memcpy(at, a + (size_t)j * (size_t)lda, column(m, j, upper));
    atomic_store_explicit(&to->sent, ++sent, memory_order_release);
}

static void receive_columns(int m, int n, double *a, int lda, int upper)
{
    static unsigned received;
    slot *from = &slots[!rank];
    const unsigned char *at = from->data;
    wait_for(&from->sent, ++received);
    for (int j = 0; j < n; at += column(m, j, upper), j++)
        memcpy(a + (size_t)j * (size_t)lda, at, column(m, j, upper));
    atomic_store_explicit(&from->taken, received, memory_order_release);
}

void Cdgesd2d(int context, int m, int n, const double *a, int lda, int row, int to)
{
    (void)context, (void)row, (void)to;
    if (lda == m) send_columns(m * n, 1, a, m * n, 0);
    else send_columns(m, n, a, lda, 0);
}

void Cdgerv2d(int context, int m, int n, double *a, int lda, int row, int from)
{
    (void)context, (void)row, (void)from;
    if (lda == m) receive_columns(m * n, 1, a, m * n, 0);
    else receive_columns(m, n, a, lda, 0);
}

void Cdtrsd2d(int context, const char *uplo, const char *diag, int m, int n, const double *a,
              int lda, int row, int to)
{
    (void)context, (void)uplo, (void)diag, (void)row, (void)to;
    send_columns(m, n, a, lda, 1);
}

void Cdtrrv2d(int context, const char *uplo, const char *diag, int m, int n, double *a, int lda,
              int row, int from)
{
    (void)context, (void)uplo, (void)diag, (void)row, (void)from;
    receive_columns(m, n, a, lda, 1);
}

/* The number of rounds is that of process 0. */
void Cigsum2d(int context, const char *scope, const char *top, int m, int n, int *a, int lda,
              int row, int column)
{
    double value = *a;
    (void)context, (void)scope, (void)top, (void)m, (void)n, (void)lda, (void)row, (void)column;
    if (rank == 0) send_columns(1, 1, &value, 1, 0);
    else receive_columns(1, 1, &value, 1, 0);
    *a = (int)value;
}

void Cblacs_barrier(int context, const char *scope)
{
    int nothing = 0;
    Cigsum2d(context, scope, " ", 1, 1, &nothing, 1, -1, -1);
}

void Cblacs_exit(int carries_on)
{
    (void)carries_on;
}
