/* SPDX-License-Identifier: Apache-2.0 */
/* What loading libfabric does to the rest of the process. */
#include "net/fixture.h"
#include "net/ofi/ofi_library.h"

#include <string.h>

/* In place of the C library's: other threads may be in getenv(). */
static int changes;

int setenv(const char *name, const char *value, int overwrite)
{
    (void)name, (void)value, (void)overwrite;
    changes++;
    return 0;
}

int unsetenv(const char *name)
{
    (void)name;
    changes++;
    return 0;
}

int putenv(char *entry)
{
    (void)entry;
    changes++;
    return 0;
}

static long resident_kib(void)
{
    long all, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL);
    CHECK(fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* At ofi_rxm's own default the buffers of an endpoint alone take 70 MB. */
STORY_TEST(should_tell_libfabric_the_size_of_buffers_and_leave_the_environment_alone, 1)
{
    long before = resident_kib();
    const hy_ofi_calls *calls;
    CHECK_OK(hy_ofi_load(&calls));
    CHECK(changes == 0);
    CHECK(getenv("FI_OFI_RXM_BUFFER_SIZE") == NULL);
    join(me);
    CHECK(resident_kib() - before < 32 << 10);
    meet(me);
    leave(me);
}

int main(void)
{
    tested = &hy_net_ofi;
    need_network();
    return tests_run();
}
