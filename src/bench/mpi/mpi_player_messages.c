/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi_player_messages.h"

#include <mpi.h>
#include <stdio.h>

#include "../c/lines.h"

#define WORLD MPI_COMM_WORLD

/* Of all calls; the same on all ranks. */
static uint64_t turn;

/* The window of OP_PUT, kept in the case's handle. */
static MPI_Win *window_of(struct player_case *one)
{
    _Static_assert(sizeof(MPI_Win) <= sizeof one->handles[0], "a window fits a handle");
    return (MPI_Win *)&one->handles[0];
}

static void complain_if(int wrong, const struct player_case *one)
{
    if (!wrong) return;
    fprintf(stderr, "mpi_player: rank %d has wrong data\n", one->rank);
    MPI_Abort(WORLD, 1);
}

int messages_open(struct player_case *one)
{
    if (one->op != OP_FARM && one->size != 2) return -1;
    if (one->op == OP_PUT) {
        MPI_Win_create(one->in, (MPI_Aint)one->bytes, 1, MPI_INFO_NULL, WORLD, window_of(one));
        MPI_Win_lock_all(0, *window_of(one));
    }
    return 0;
}

void messages_close(struct player_case *one)
{
    if (one->op != OP_PUT) return;
    MPI_Win_unlock_all(*window_of(one));
    MPI_Win_free(window_of(one));
}

static void send(const void *data, size_t bytes, int peer)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, peer, 0, WORLD);
}

static void receive(void *data, size_t bytes, int peer)
{
    MPI_Recv(data, (int)bytes, MPI_BYTE, peer, 0, WORLD, MPI_STATUS_IGNORE);
}

static void pingpong(struct player_case *one)
{
    int peer = 1 - one->rank;

    if (one->rank == 0) {
        lines_write(one->in, one->bytes, turn);
        send(one->in, one->bytes, peer);
    }
    receive(one->out, one->bytes, peer);
    complain_if(lines_read(one->out, one->bytes, turn, 1) != 0, one);
    if (one->rank == 1) {
        lines_write(one->in, one->bytes, turn);
        send(one->in, one->bytes, peer);
    }
}

static void rate(struct player_case *one)
{
    MPI_Request requests[PLAYER_WINDOW];
    unsigned char answer[8] = {0};
    double off = 0;

    for (int i = 0; i < PLAYER_WINDOW; i++) {
        unsigned char *data = one->in + (size_t)i * one->bytes;

        if (one->rank == 0) {
            *(volatile double *)data = (double)(turn + (uint64_t)i);
            MPI_Isend(data, (int)one->bytes, MPI_BYTE, 1, 0, WORLD, &requests[i]);
        } else {
            MPI_Irecv(data, (int)one->bytes, MPI_BYTE, 0, 0, WORLD, &requests[i]);
        }
    }
    MPI_Waitall(PLAYER_WINDOW, requests, MPI_STATUSES_IGNORE);
    if (one->rank == 0) {
        receive(answer, sizeof answer, 1);
        return;
    }
    for (int i = 0; i < PLAYER_WINDOW; i++) {
        double is = *(volatile double *)(one->in + (size_t)i * one->bytes);

        off += is != (double)(turn + (uint64_t)i);
    }
    complain_if(off != 0, one);
    send(answer, sizeof answer, 0);
}

static void farm(struct player_case *one)
{
    int64_t data = (int64_t)turn * one->rank;
    MPI_Status status;

    if (one->rank > 0) {
        send(&data, sizeof data, 0);
        receive(&data, sizeof data, 0);
        complain_if(data != (int64_t)turn * 3 + one->rank, one);
        return;
    }
    for (int i = 1; i < one->size; i++) {
        MPI_Recv(&data, (int)sizeof data, MPI_BYTE, MPI_ANY_SOURCE, 0, WORLD, &status);
        complain_if(data % status.MPI_SOURCE != 0, one);
        data = data / status.MPI_SOURCE * 3 + status.MPI_SOURCE;
        send(&data, sizeof data, status.MPI_SOURCE);
    }
}

static void put(struct player_case *one)
{
    if (one->rank != 0) return;
    lines_write(one->out, one->bytes, turn);
    MPI_Put(one->out, (int)one->bytes, MPI_BYTE, 1, 0, (int)one->bytes, MPI_BYTE, *window_of(one));
    MPI_Win_flush(1, *window_of(one));
}

void messages_call(struct player_case *one)
{
    turn++;
    switch (one->op) {
    case OP_PINGPONG: pingpong(one); break;
    case OP_RATE: rate(one); break;
    case OP_FARM: farm(one); break;
    case OP_PUT: put(one); break;
    default: MPI_Abort(WORLD, 1);
    }
}
