/* SPDX-License-Identifier: Apache-2.0 */
/* What connections over libfabric take: `ofi_memory_program` prints the growth of a rank's resident
 * memory by its network, by its first and its further peers, and by the same on a further endpoint,
 * and what 10000 peers would take. */
#include "net/fixture.h"

#define LANE 1

/* KiB */
static long resident(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL);
    CHECK(fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void use(member *me, int peer, int lane)
{
    uint64_t before;
    hy_ep end;
    me->net->ops->attach(me->net, &end, peer, lane);
    CHECK_OK(end.ops->atomic(&end, 64, HY_ATOMIC_ADD, 1, 0, &before));
}

static long grows(long *before, const char *what)
{
    long now = resident(), by = now - *before;
    printf("%-44s %8ld KiB\n", what, by);
    *before = now;
    return by;
}

static void measure(member *me)
{
    long before = resident();
    join(me);
    grows(&before, "the network, with one endpoint");
    meet(me);
    before = resident();
    use(me, 1, 0);
    grows(&before, "the first peer");
    use(me, 2, 0);
    grows(&before, "the second peer");
    use(me, 3, 0);
    long peer = grows(&before, "the third peer");
    use(me, 1, LANE);
    grows(&before, "a further endpoint and its first peer");
    use(me, 2, LANE);
    grows(&before, "its second peer");
    use(me, 3, LANE);
    long lane = grows(&before, "its third peer");
    printf("10000 peers like the third: %ld MiB, and %ld MiB for each further endpoint\n",
           peer * 10000 / 1024, lane * 10000 / 1024);
    fflush(stdout);
}

static void be_measured(member *me)
{
    if (me->rank == 0) measure(me);
    else {
        join(me);
        meet(me);
    }
    meet(me);
    leave(me);
}

int main(void)
{
    tested = &hy_net_ofi;
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 0);
    run_stories(MOST, be_measured);
    return 0;
}
