/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two processes, by one library: c/messages_fmpl.c, mpi/messages_mpi.c. An error
 * ends the process. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stddef.h>

void messages_open(int *rank, int *size);
void messages_send(const void *memory, size_t bytes, int to);
void messages_receive(void *memory, size_t bytes, int from);
void messages_close(void);

#endif
