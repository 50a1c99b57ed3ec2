/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a rules file, and as the text of a hint: refused with a reason, or only hints come
 * out of it that could have been written down. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "choose/rules.h"

static void require(bool truth)
{
    if (!truth) abort();
}

static void check_hint(const hy_hint *hint)
{
    hy_hint sum;
    hy_shape shape = {.coll = HY_COLL_BARRIER, .size = 4, .unit = 1};
    require(memchr(hint->algorithm, '\0', sizeof hint->algorithm) != NULL);
    require(hy_hint_gather(&shape, NULL, NULL, hint, &sum) == HAYATE_OK);
    require(strcmp(sum.algorithm, hint->algorithm) == 0);
    require(sum.way.segment == hint->way.segment && sum.way.arity == hint->way.arity);
}

static void use(const hy_rules *rules)
{
    for (int coll = 0; coll < HY_COLL_COUNT; coll++) {
        for (int log = 0; log < 31; log += 3) {
            hy_shape shape = {.coll = (hy_coll)coll, .size = 1 << log, .unit = 1};
            shape.bytes = UINT64_C(1) << 2 * log;
            const hy_hint *hint = hy_rules_find(rules, &shape);
            const hy_algorithm *algorithm;
            if (!hint) continue;
            check_hint(hint);
            if (hy_hint_algorithm(hint, &shape, &algorithm) == HAYATE_OK)
                require(!algorithm || (algorithm->coll == shape.coll &&
                                       strcmp(algorithm->name, hint->algorithm) == 0));
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
    hy_hint hint;
    char *text = calloc(1, size + 1);
    memcpy(text, data, size);
    if (hy_hint_parse(text, "fuzz", &hint) == HAYATE_OK) check_hint(&hint);
    free(text);
    load(data, size);
    return 0;
}
