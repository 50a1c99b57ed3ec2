/* SPDX-License-Identifier: Apache-2.0 */
/* Messages by FMPL. */
#include "messages.h"

#include <hayate/fmpl.h>
#include <hayate/hayate.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int error)
{
    if (!error) return;
    fprintf(stderr, "messages_fmpl: %s\n", hayate_error());
    exit(1);
}

void messages_open(int *rank, int *size)
{
    int error;
    must(hayate_init());
    fmpl_init(NULL, NULL, FMPL_DEFAULT_COUNT, &error);
    must(error);
    *rank = hayate_rank();
    *size = hayate_size();
}

void messages_send(const void *memory, size_t bytes, int to)
{
    int error;
    fmpl_send(memory, bytes, to, 0, &error);
    must(error);
}

void messages_receive(void *memory, size_t bytes, int from)
{
    int error;
    fmpl_recv(memory, bytes, from, 0, &error);
    must(error);
}

void messages_close(void)
{
    int error;
    fmpl_finalize(&error);
    must(error);
    must(hayate_finalize());
}
