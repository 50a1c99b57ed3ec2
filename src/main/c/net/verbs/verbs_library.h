/* SPDX-License-Identifier: Apache-2.0 */
/* libibverbs, loaded at its first use and never unloaded. Contains only functions that are symbols
 * of the library; the inline functions of its header reach the others through the objects that
 * these return. */
#ifndef HY_NET_VERBS_LIBRARY_H
#define HY_NET_VERBS_LIBRARY_H

#include <infiniband/verbs.h>

#define HY_VERBS_LIBRARY "libibverbs.so.1"

/* Macros of the header that would replace the names. */
#undef ibv_query_port
#undef ibv_reg_mr

typedef struct hy_verbs_calls {
    struct ibv_device **(*get_device_list)(int *count);
    void (*free_device_list)(struct ibv_device **list);
    const char *(*get_device_name)(struct ibv_device *device);
    struct ibv_context *(*open_device)(struct ibv_device *device);
    int (*close_device)(struct ibv_context *context);
    int (*query_device)(struct ibv_context *context, struct ibv_device_attr *attr);
    int (*query_gid_ex)(struct ibv_context *context, uint32_t port, uint32_t index,
                        struct ibv_gid_entry *entry, uint32_t flags, size_t entry_bytes);
    struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
    int (*dealloc_pd)(struct ibv_pd *pd);
    struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *memory, size_t bytes, int access);
    int (*dereg_mr)(struct ibv_mr *mr);
    struct ibv_comp_channel *(*create_comp_channel)(struct ibv_context *context);
    int (*destroy_comp_channel)(struct ibv_comp_channel *channel);
    int (*get_cq_event)(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **user);
    void (*ack_cq_events)(struct ibv_cq *cq, unsigned count);
    struct ibv_cq *(*create_cq)(struct ibv_context *context, int entries, void *user,
                                struct ibv_comp_channel *channel, int vector);
    int (*destroy_cq)(struct ibv_cq *cq);
    struct ibv_srq *(*create_srq)(struct ibv_pd *pd, struct ibv_srq_init_attr *attr);
    int (*destroy_srq)(struct ibv_srq *srq);
    struct ibv_qp *(*create_qp)(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
    int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
    int (*destroy_qp)(struct ibv_qp *qp);
    struct ibv_ah *(*create_ah)(struct ibv_pd *pd, struct ibv_ah_attr *attr);
    int (*destroy_ah)(struct ibv_ah *ah);
    const char *(*wc_status_str)(enum ibv_wc_status status);
    const char *(*port_state_str)(enum ibv_port_state state);
} hy_verbs_calls;

/* UNSUPPORTED: the library is missing or too old. HAYATE_LIBRARIES can name its directory. */
int hy_verbs_load(const hy_verbs_calls **calls);

/* Returns 0 or an errno number. */
int hy_verbs_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);

#endif
