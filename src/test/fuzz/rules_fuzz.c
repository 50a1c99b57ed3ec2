/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a rules file, and as the text of a wish: refused with a reason, or only wishes come
 * out of it that could have been written down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "sched/rules.h"

static void require(bool truth)
{
    if (!truth) abort();
}

static void check_wish(const hy_wish *wish)
{
    hy_wish sum;
    hy_shape shape = {.coll = HY_COLL_BARRIER, .size = 4, .unit = 1};
    require(memchr(wish->algorithm, '\0', sizeof wish->algorithm) != NULL);
    require(hy_wish_gather(&shape, NULL, NULL, wish, &sum) == HAYATE_OK);
    require(strcmp(sum.algorithm, wish->algorithm) == 0);
    require(sum.way.segment == wish->way.segment && sum.way.arity == wish->way.arity);
}

static void use(const hy_rules *rules)
{
    for (int coll = 0; coll < HY_COLL_COUNT; coll++) {
        for (int log = 0; log < 31; log += 3) {
            hy_shape shape = {.coll = (hy_coll)coll, .size = 1 << log, .unit = 1};
            shape.bytes = UINT64_C(1) << 2 * log;
            const hy_wish *wish = hy_rules_find(rules, &shape);
            const hy_algorithm *algorithm;
            if (!wish) continue;
            check_wish(wish);
            if (hy_wish_algorithm(wish, &shape, &algorithm) == HAYATE_OK)
                require(!algorithm || (algorithm->coll == shape.coll &&
                                       strcmp(algorithm->name, wish->algorithm) == 0));
        }
    }
}

static void load(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    hy_rules *rules;
    if (fd < 0) {
        fd = memfd_create("rules", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    require(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    int rc = hy_rules_load(path, &rules);
    require(rc == HAYATE_OK || (rc == HAYATE_ERR_ARGUMENT && !rules &&
                                strncmp(hayate_error(), path, strlen(path)) == 0));
    if (rc == HAYATE_OK) use(rules);
    hy_rules_free(rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_wish wish;
    char *text = calloc(1, size + 1);
    memcpy(text, data, size);
    if (hy_wish_parse(text, "fuzz", &wish) == HAYATE_OK) check_wish(&wish);
    free(text);
    load(data, size);
    return 0;
}
