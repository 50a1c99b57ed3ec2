/* SPDX-License-Identifier: Apache-2.0 */
/* A libpmix for tests: no launcher, one process. HAYATE_TEST_PMIX is a list "key=value ...": init
 * and fence (status), size, type (of the size), peers, rank, event. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/pmix_abi.h"

#define EXPORT __attribute__((visibility("default")))

static char published[256];

static const char *setting(const char *key)
{
    static char value[256];
    const char *all = getenv("HAYATE_TEST_PMIX"), *found = all ? strstr(all, key) : NULL;
    if (!found) return NULL;
    snprintf(value, sizeof value, "%.*s", (int)strcspn(found + strlen(key) + 1, " "),
             found + strlen(key) + 1);
    return value;
}

static long number(const char *key, long fallback)
{
    const char *text = setting(key);
    return text ? atol(text) : fallback;
}

EXPORT int PMIx_Init(hy_pmix_proc *self, void *info, size_t infos)
{
    (void)info, (void)infos;
    signal(SIGBUS, SIG_IGN); /* in place of the handler of the program */
    self->rank = (uint32_t)number("rank", 0);
    return (int)number("init", 0);
}

EXPORT int PMIx_Finalize(const void *info, size_t infos)
{
    (void)info, (void)infos;
    return 0;
}

EXPORT int PMIx_Put(uint8_t scope, const char *key, hy_pmix_value *value)
{
    (void)scope, (void)key;
    snprintf(published, sizeof published, "%s", value->data.string);
    return 0;
}

EXPORT int PMIx_Commit(void)
{
    return 0;
}

EXPORT int PMIx_Fence(const hy_pmix_proc *all, size_t count, const void *info, size_t infos)
{
    (void)all, (void)count, (void)info, (void)infos;
    return (int)number("fence", 0);
}

EXPORT int PMIx_Abort(int status, const char *message, hy_pmix_proc *whom, size_t count)
{
    (void)message, (void)whom, (void)count;
    char text[16];
    snprintf(text, sizeof text, "%d", status);
    return setenv("HAYATE_TEST_ABORTED", text, 1);
}

EXPORT int PMIx_Get(const hy_pmix_proc *of, const char *key, const void *info, size_t infos,
                    hy_pmix_value **value)
{
    (void)of, (void)info, (void)infos;
    *value = calloc(1, sizeof **value);
    if (strcmp(key, HY_PMIX_JOB_SIZE) == 0) {
        (*value)->type = (uint16_t)number("type", HY_PMIX_UINT32);
        (*value)->data.uint32 = (uint32_t)number("size", 1);
        return 0;
    }
    if (strcmp(key, HY_PMIX_NODEID) == 0) { /* all ranks on the one of `node` */
        (*value)->type = HY_PMIX_UINT32;
        (*value)->data.uint32 = (uint32_t)number("node", 7);
        return 0;
    }
    if (strcmp(key, HY_PMIX_HOSTNAME) == 0 && !setting("host")) {
        free(*value);
        *value = NULL;
        return -46;
    }
    (*value)->type = HY_PMIX_STRING;
    if (strcmp(key, HY_PMIX_HOSTNAME) == 0) {
        (*value)->data.string = strdup(setting("host"));
        return 0;
    }
    const char *peers = strcmp(key, HY_PMIX_LOCAL_PEERS) == 0 ? setting("peers") : published;
    (*value)->data.string = strdup(peers ? peers : "0");
    return 0;
}

/* event: the launcher is lost at once */
EXPORT int PMIx_Register_event_handler(int *codes, size_t count, void *info, size_t infos,
                                       hy_pmix_handler *handler, void *registered, void *data)
{
    (void)info, (void)infos, (void)registered;
    if (setting("event") && count == 1 && codes[0] == HY_PMIX_LOST_CONNECTION)
        handler(1, codes[0], NULL, NULL, 0, NULL, 0, NULL, data);
    return 1;
}

EXPORT const char *PMIx_Error_string(int status)
{
    return status ? "LIE" : "SUCCESS";
}
