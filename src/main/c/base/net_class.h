/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of networks that the cost model of collectives distinguishes. */
#ifndef HY_BASE_NET_CLASS_H
#define HY_BASE_NET_CLASS_H

typedef enum hy_net_class {
    HY_NET_TCP,   /* through the kernel's sockets */
    HY_NET_VERBS, /* devices that are used without the kernel */
    HY_NETS
} hy_net_class;

#endif
