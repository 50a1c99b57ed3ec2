/* SPDX-License-Identifier: Apache-2.0 */
/* The few BLACS that the ping-pong of blacs_bench.c calls, by plain messages between two processes:
 * what a program without the BLACS would do. Columns that do not follow each other are packed. */
#include <hayate/blacs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blacs_pair.h"
#include "messages.h"

#define LARGEST (32 << 20)

static int rank;
static unsigned char *packed;

void Cblacs_pinfo(int *me, int *processes)
{
    messages_open(me, processes);
    rank = *me;
    packed = malloc(LARGEST);
    if (packed && *processes == 2) return;
    fprintf(stderr, "blacs_messages: expected two processes\n");
    exit(1);
}

static size_t bytes_of(int m, int n, int upper)
{
    size_t bytes = 0;
    for (int j = 0; j < n; j++) bytes += column(m, j, upper);
    return bytes;
}

static void send_columns(int m, int n, const double *a, int lda, int upper, int to)
{
    unsigned char *at = packed;
    for (int j = 0; j < n; at += column(m, j, upper), j++)
        memcpy(at, a + (size_t)j * (size_t)lda, column(m, j, upper));
    messages_send(packed, (size_t)(at - packed), to);
}

static void receive_columns(int m, int n, double *a, int lda, int upper, int from)
{
    const unsigned char *at = packed;
    messages_receive(packed, bytes_of(m, n, upper), from);
    for (int j = 0; j < n; at += column(m, j, upper), j++)
        memcpy(a + (size_t)j * (size_t)lda, at, column(m, j, upper));
}

void Cdgesd2d(int context, int m, int n, const double *a, int lda, int row, int to)
{
    (void)context, (void)row;
    if (lda == m) messages_send(a, bytes_of(m, n, 0), to);
    else send_columns(m, n, a, lda, 0, to);
}

void Cdgerv2d(int context, int m, int n, double *a, int lda, int row, int from)
{
    (void)context, (void)row;
    if (lda == m) messages_receive(a, bytes_of(m, n, 0), from);
    else receive_columns(m, n, a, lda, 0, from);
}

void Cdtrsd2d(int context, const char *uplo, const char *diag, int m, int n, const double *a,
              int lda, int row, int to)
{
    (void)context, (void)uplo, (void)diag, (void)row;
    send_columns(m, n, a, lda, 1, to);
}

void Cdtrrv2d(int context, const char *uplo, const char *diag, int m, int n, double *a, int lda,
              int row, int from)
{
    (void)context, (void)uplo, (void)diag, (void)row;
    receive_columns(m, n, a, lda, 1, from);
}

/* The number of rounds is that of process 0. */
void Cigsum2d(int context, const char *scope, const char *top, int m, int n, int *a, int lda,
              int row, int to)
{
    (void)context, (void)scope, (void)top, (void)m, (void)n, (void)lda, (void)row, (void)to;
    if (rank == 0) messages_send(a, sizeof *a, 1);
    else messages_receive(a, sizeof *a, 0);
}

void Cblacs_barrier(int context, const char *scope)
{
    int nothing = 0;
    (void)context, (void)scope;
    if (rank == 0) messages_send(&nothing, sizeof nothing, 1);
    messages_receive(&nothing, sizeof nothing, !rank);
    if (rank == 1) messages_send(&nothing, sizeof nothing, 0);
}

void Cblacs_exit(int carries_on)
{
    (void)carries_on;
    messages_close();
}
