/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libibverbs with dlopen() and finds its functions by a table of names. */
#include "net/verbs/verbs_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/library.h"
#include "base/status.h"

static hy_verbs_calls all;

static const struct {
    const char *name;
    void *to;
} wanted[] = {
    {"ibv_get_device_list", &all.get_device_list},
    {"ibv_free_device_list", &all.free_device_list},
    {"ibv_get_device_name", &all.get_device_name},
    {"ibv_open_device", &all.open_device},
    {"ibv_close_device", &all.close_device},
    {"ibv_query_device", &all.query_device},
    {"_ibv_query_gid_ex", &all.query_gid_ex},
    {"ibv_alloc_pd", &all.alloc_pd},
    {"ibv_dealloc_pd", &all.dealloc_pd},
    {"ibv_reg_mr", &all.reg_mr},
    {"ibv_dereg_mr", &all.dereg_mr},
    {"ibv_create_comp_channel", &all.create_comp_channel},
    {"ibv_destroy_comp_channel", &all.destroy_comp_channel},
    {"ibv_get_cq_event", &all.get_cq_event},
    {"ibv_ack_cq_events", &all.ack_cq_events},
    {"ibv_create_cq", &all.create_cq},
    {"ibv_destroy_cq", &all.destroy_cq},
    {"ibv_create_srq", &all.create_srq},
    {"ibv_destroy_srq", &all.destroy_srq},
    {"ibv_create_qp", &all.create_qp},
    {"ibv_modify_qp", &all.modify_qp},
    {"ibv_destroy_qp", &all.destroy_qp},
    {"ibv_create_ah", &all.create_ah},
    {"ibv_destroy_ah", &all.destroy_ah},
    {"ibv_wc_status_str", &all.wc_status_str},
    {"ibv_port_state_str", &all.port_state_str},
};

static int load(void)
{
    void *library = hy_library_open(HY_VERBS_LIBRARY);
    if (!library)
        return hy_fail_over(
            HAYATE_ERR_UNSUPPORTED,
            "libibverbs cannot be loaded (%s); install it (Debian: ibverbs-providers) or"
            " name its directory in HAYATE_LIBRARIES",
            hayate_error());
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(library, wanted[i].name);
        if (!found)
            return hy_fail(HAYATE_ERR_UNSUPPORTED,
                           "%s has no %s: libibverbs of rdma-core 32 or newer expected",
                           HY_VERBS_LIBRARY, wanted[i].name);
        memcpy(wanted[i].to, &found, sizeof found);
    }
    return HAYATE_OK;
}

int hy_verbs_load(const hy_verbs_calls **calls)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&lock);
    int rc = loaded ? HAYATE_OK : load();
    loaded = rc == HAYATE_OK;
    pthread_mutex_unlock(&lock);
    *calls = &all;
    return rc;
}

int hy_verbs_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr)
{
    const struct verbs_context *verbs = verbs_get_ctx_op(context, query_port);
    memset(attr, 0, sizeof *attr);
    if (!verbs) return -1;
    return verbs->query_port(context, port, attr, sizeof *attr);
}
