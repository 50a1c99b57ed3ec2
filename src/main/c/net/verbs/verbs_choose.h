/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the device, port and address that a process uses. */
#ifndef HY_NET_VERBS_CHOOSE_H
#define HY_NET_VERBS_CHOOSE_H

#include "net/net.h"
#include "net/verbs/verbs_library.h"

typedef struct hy_verbs_choice {
    struct ibv_context *context;
    char name[64];
    uint8_t port, gid_index;
    union ibv_gid gid;
    struct ibv_port_attr port_attr;
    struct ibv_device_attr device;
} hy_verbs_choice;

/* Opens the first device with an active port that peers can address; of RoCE addresses, prefers
 * version 2 and IPv4. attr->device can name a device, "rxe0", or with its port, "rxe0:1".
 * UNSUPPORTED with what was found. The caller closes the context. */
int hy_verbs_choose(const hy_verbs_calls *calls, const hy_net_attr *attr, hy_verbs_choice *choice);

#endif
