/* SPDX-License-Identifier: Apache-2.0 */
/* Messages by MPI, whose errors end the process by themselves. */
#include "../c/messages.h"

#include <mpi.h>

void messages_open(int *rank, int *size)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
}

void messages_send(const void *memory, size_t bytes, int to)
{
    MPI_Send(memory, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

void messages_receive(void *memory, size_t bytes, int from)
{
    MPI_Recv(memory, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void messages_close(void)
{
    MPI_Finalize();
}
