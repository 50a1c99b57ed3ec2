/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols are looked up with the version of the headers that this file was compiled with: newer
 * versions of libfabric have them too, and their default versions may use larger structures.
 */
#include "net/ofi/ofi_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/handlers.h"
#include "base/library.h"
#include "base/status.h"

static int find_calls(void *library, hy_ofi_calls *calls)
{
    const struct {
        const char *name, *version;
        void *to;
    } wanted[] = {{"fi_getinfo", "FABRIC_1.3", &calls->getinfo},
                  {"fi_freeinfo", "FABRIC_1.3", &calls->freeinfo},
                  {"fi_dupinfo", "FABRIC_1.3", &calls->dupinfo},
                  {"fi_fabric", "FABRIC_1.1", &calls->fabric},
                  {"fi_strerror", "FABRIC_1.0", &calls->error}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlvsym(library, wanted[i].name, wanted[i].version);
        if (!found)
            return hy_fail(HAYATE_ERR_UNSUPPORTED,
                           "%s has no %s@%s: libfabric 1.17 or newer expected", HY_OFI_LIBRARY,
                           wanted[i].name, wanted[i].version);
        memcpy(wanted[i].to, &found, sizeof found);
    }
    return HAYATE_OK;
}

/* The first query makes all providers of the library start. ofi_rxm then reads the longest eager
 * message from the environment only (like all of libfabric: fi_param has no function that sets a
 * value), and makes buffers of that length for each endpoint: 70 MB at its default of 16 KB, 6 MB
 * at this value, which has room for all messages of Hayate. */
static void wake_providers(const hy_ofi_calls *calls)
{
    static const char buffers[] = "FI_OFI_RXM_BUFFER_SIZE=256";
    struct fi_info *hints = calls->dupinfo(NULL), *found = NULL;
    bool lent = !getenv("FI_OFI_RXM_BUFFER_SIZE") && hy_environment_lend(buffers);
    if (hints) {
        hints->fabric_attr->prov_name = strdup("none of all");
        if (calls->getinfo(HY_OFI_API, NULL, NULL, 0, hints, &found) == 0) calls->freeinfo(found);
        calls->freeinfo(hints);
    }
    if (lent) hy_environment_take_back(buffers);
}

static int load(hy_ofi_calls *calls)
{
    void *library = hy_library_open(HY_OFI_LIBRARY);
    if (!library)
        return hy_fail_over(
            HAYATE_ERR_UNSUPPORTED,
            "libfabric cannot be loaded (%s); install it (Debian: libfabric1) or name"
            " its directory in HAYATE_LIBRARIES",
            hayate_error());
    int rc = find_calls(library, calls);
    if (!rc) wake_providers(calls);
    return rc;
}

int hy_ofi_load(const hy_ofi_calls **result)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static hy_ofi_calls calls;
    static bool loaded;
    int rc = HAYATE_OK;
    pthread_mutex_lock(&lock);
    if (!loaded) {
        hy_handlers_keep();
        rc = load(&calls);
        hy_handlers_put_back();
        loaded = rc == HAYATE_OK;
    }
    pthread_mutex_unlock(&lock);
    *result = &calls;
    return rc;
}
