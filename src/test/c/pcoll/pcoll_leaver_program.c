/* SPDX-License-Identifier: Apache-2.0 */
/* Of three ranks one does its part of a reduction and leaves, the last comes later. The root, which
 * is kept from looking meanwhile, must not take the leaving for a failure. The argument is the rank
 * that leaves. */
#include <hayate/fmpl.h>
#include <hayate/pcoll.h>

#include <stdlib.h>

#include "fmpl/scenario.h"

static int64_t sum = 1, busy = 1;

/* Called in a slow turn of the root's wait for the other operation. */
static void add_slowly(void *into, const void *from, size_t count, void *context)
{
    (void)context;
    pause_us(100000);
    for (size_t i = 0; i < count; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

int main(int argc, char **argv)
{
    pcoll_t op = PCOLL_NULL, slow = PCOLL_NULL;
    int ier, leaver = argc > 1 ? atoi(argv[1]) : 1;
    fmpl_op_t slowly;
    start_ranks(3);
    scenario_now = "leaver";
    CALL_OK(fmpl_function_create(add_slowly, sizeof(int64_t), NULL, &slowly, &ier));
    CHECK_OK(
        pcoll_reduce_init(&sum, 1, FMPL_LONG_SUM, 0, FMPL_COMM_WORLD, "algorithm=linear", &op));
    CHECK_OK(pcoll_reduce_init(&busy, 1, slowly, 0, FMPL_COMM_WORLD,
                               "algorithm=linear,progress=calls", &slow));
    barrier();
    if (rank != 0) pause_us(50000);
    if (rank != 0) CHECK_OK(pcoll_start(slow));
    if (rank != 0) pause_us(rank == leaver ? 30000 : 350000);
    CHECK_OK(pcoll_start(op));
    if (rank == 0) CHECK_OK(pcoll_start(slow));
    CHECK_OK(pcoll_wait(op));
    CHECK_OK(pcoll_wait(slow));
    if (rank == 0) CHECK(sum == 3 && busy == 3);
    CALL_OK(fmpl_finalize(&ier));
    CHECK_OK(hayate_finalize());
    return 0;
}
