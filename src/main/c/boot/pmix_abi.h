/* SPDX-License-Identifier: Apache-2.0 */
/* The part of PMIx that is used, as its standard defines it (versions 2 to 5, libpmix.so.2). It
 * is declared here so that neither the build nor the machine needs the PMIx headers; a test
 * compares it with <pmix.h> where that is installed. Values come from the library and are freed
 * by free(); no array of values is ever passed. */
#ifndef HY_BOOT_PMIX_ABI_H
#define HY_BOOT_PMIX_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_PMIX_LIBRARY "libpmix.so.2"
#define HY_PMIX_RANK_WILDCARD (UINT32_MAX - 1)
#define HY_PMIX_JOB_SIZE "pmix.job.size"
#define HY_PMIX_LOCAL_PEERS "pmix.lpeers"
#define HY_PMIX_NODEID "pmix.nodeid"
#define HY_PMIX_HOSTNAME "pmix.hname"
#define HY_PMIX_COLLECT_DATA "pmix.collect"
#define HY_PMIX_TIMEOUT "pmix.timeout" /* seconds */

#define HY_PMIX_LOST_CONNECTION (-61)

/* hy_pmix_value.type */
enum { HY_PMIX_BOOL = 1, HY_PMIX_STRING = 3, HY_PMIX_INT = 6, HY_PMIX_UINT32 = 14 };
enum { HY_PMIX_GLOBAL = 3 }; /* scope of a put */

typedef struct hy_pmix_proc {
    char nspace[256];
    uint32_t rank;
} hy_pmix_proc;

typedef struct hy_pmix_value {
    uint16_t type;
    union {
        char *string;
        uint32_t uint32;
        int number;
        bool truth;
        uint64_t room[3]; /* size of the largest member */
    } data;
} hy_pmix_value;

typedef struct hy_pmix_info {
    char key[512];
    uint32_t flags;
    hy_pmix_value value;
} hy_pmix_info;

/* An event handler calls this when it has finished: (status, NULL, 0, NULL, NULL, data). */
typedef void hy_pmix_done(int status, void *results, size_t count, void *release,
                          void *release_data, void *data);
typedef void hy_pmix_handler(size_t id, int status, const hy_pmix_proc *source, void *info,
                             size_t infos, void *results, size_t count, hy_pmix_done *done,
                             void *data);

/* Each function returns 0 or a negative status. An absent info is passed as NULL and 0. */
typedef struct hy_pmix_calls {
    int (*init)(hy_pmix_proc *self, void *info, size_t infos);
    int (*finalize)(const void *info, size_t infos);
    int (*put)(uint8_t scope, const char *key, hy_pmix_value *value);
    int (*commit)(void);
    int (*fence)(const hy_pmix_proc *all, size_t count, const void *info, size_t infos);
    int (*abort)(int status, const char *message, hy_pmix_proc *whom, size_t count);
    int (*get)(const hy_pmix_proc *of, const char *key, const void *info, size_t infos,
               hy_pmix_value **value);
    /* Returns when the handler is registered: its number (or 0), or a negative status. */
    int (*on_event)(int *codes, size_t count, void *info, size_t infos, hy_pmix_handler *handler,
                    void *registered, void *data);
    const char *(*error)(int status);
} hy_pmix_calls;

#endif
