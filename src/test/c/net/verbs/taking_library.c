/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for libibverbs: takes signal handlers when it is loaded, unless a variable says that
 * it must not, and others at its first call. It has no devices. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define CALL(name) \
    void name(void); \
    void name(void) \
    { \
    }

static void handler(int number)
{
    (void)number;
}

__attribute__((constructor)) static void load(void)
{
    signal(SIGTERM, handler);
    if (!getenv("UCX_ERROR_SIGNALS") || !getenv("IPATH_NO_BACKTRACE") ||
        !getenv("HFI_NO_BACKTRACE"))
        _exit(1); /* as a thread of Java does that runs into the handler */
}

void **ibv_get_device_list(int *count);

void **ibv_get_device_list(int *count)
{
    static void *none;
    signal(SIGSEGV, handler);
    signal(SIGBUS, SIG_IGN);
    *count = 0;
    return &none;
}

CALL(ibv_free_device_list)
CALL(ibv_get_device_name)
CALL(ibv_open_device)
CALL(ibv_close_device)
CALL(ibv_query_device)
CALL(_ibv_query_gid_ex)
CALL(ibv_alloc_pd)
CALL(ibv_dealloc_pd)
CALL(ibv_reg_mr)
CALL(ibv_dereg_mr)
CALL(ibv_create_comp_channel)
CALL(ibv_destroy_comp_channel)
CALL(ibv_get_cq_event)
CALL(ibv_ack_cq_events)
CALL(ibv_create_cq)
CALL(ibv_destroy_cq)
CALL(ibv_create_srq)
CALL(ibv_destroy_srq)
CALL(ibv_create_qp)
CALL(ibv_modify_qp)
CALL(ibv_destroy_qp)
CALL(ibv_create_ah)
CALL(ibv_destroy_ah)
CALL(ibv_wc_status_str)
CALL(ibv_port_state_str)
