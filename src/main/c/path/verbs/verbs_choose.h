/* SPDX-License-Identifier: Apache-2.0 */
/* Which device, port and address a process takes. */
#ifndef HY_PATH_VERBS_CHOOSE_H
#define HY_PATH_VERBS_CHOOSE_H

#include "path/net.h"
#include "path/verbs/verbs_library.h"

typedef struct hy_verbs_choice {
    struct ibv_context *context;
    char name[64];
    uint8_t port, gid_index;
    union ibv_gid gid;
    struct ibv_port_attr port_attr;
    struct ibv_device_attr device;
} hy_verbs_choice;

/* Opens the first device with an active port that peers can address: of RoCE, version 2 and IPv4
 * rather than others. attr->device names another one, "rxe0" or "rxe0:1" with the port.
 * UNSUPPORTED with what there is. The context is the caller's to close. */
int hy_verbs_choose(const hy_verbs_calls *calls, const hy_net_attr *attr, hy_verbs_choice *choice);

#endif
