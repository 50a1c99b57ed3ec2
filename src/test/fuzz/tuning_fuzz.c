/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes behind the first line of a tuning file, which is right: refused with a reason and the
 * defaults stand, or it is a model that can be written and reads back the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "choose/tuning.h"

static void require(bool truth)
{
    if (!truth) abort();
}

/* All terms; what stands behind them has padding. */
static bool same(const hy_model *a, const hy_model *b)
{
    return memcmp(a, b, offsetof(hy_model, cpus)) == 0 && a->cpus == b->cpus &&
           a->measured == b->measured;
}

static char path[64], draft[64], head[256];
static int fd = -1;

static void set_up(void)
{
    char machine[160];
    hy_tuning_machine(machine, sizeof machine);
    snprintf(head, sizeof head, "machine = %s\n", machine);
    fd = memfd_create("tuning", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    snprintf(draft, sizeof draft, "/dev/shm/hayate-fuzz-%d", (int)getpid());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_model model, again, standard = hy_model_default(2);
    if (fd < 0) set_up();
    size_t length = strlen(head);
    require(ftruncate(fd, 0) == 0 && pwrite(fd, head, length, 0) == (ssize_t)length);
    require(pwrite(fd, data, size, (off_t)length) == (ssize_t)size);
    memset(&model, 77, sizeof model);
    int rc = hy_tuning_load(path, 2, &model);
    if (rc != HAYATE_OK) {
        require(rc == HAYATE_ERR_ARGUMENT && strncmp(hayate_error(), path, strlen(path)) == 0);
        require(same(&model, &standard));
        return 0;
    }
    require(hy_tuning_store(draft, &model, NULL) == HAYATE_OK);
    require(hy_tuning_load(draft, 2, &again) == HAYATE_OK);
    require(same(&model, &again));
    unlink(draft);
    return 0;
}
