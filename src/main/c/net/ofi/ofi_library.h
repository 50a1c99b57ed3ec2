/* SPDX-License-Identifier: Apache-2.0 */
/* libfabric, loaded at its first use and never unloaded, because providers have threads. Everything
 * except these five calls is reached through the objects that they return. */
#ifndef HY_NET_OFI_LIBRARY_H
#define HY_NET_OFI_LIBRARY_H

#include <rdma/fabric.h>

#define HY_OFI_LIBRARY "libfabric.so.1"
#define HY_OFI_API FI_VERSION(1, 17)

typedef struct hy_ofi_calls {
    int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **info);
    void (*freeinfo)(struct fi_info *info);
    struct fi_info *(*dupinfo)(const struct fi_info *info); /* of NULL: makes an empty one */
    int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
    const char *(*error)(int number);
} hy_ofi_calls;

/* UNSUPPORTED: the library is missing or too old. HAYATE_LIBRARIES can name its directory. */
int hy_ofi_load(const hy_ofi_calls **calls);

#endif
