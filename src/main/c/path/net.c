/* SPDX-License-Identifier: Apache-2.0 */
#include "path/net.h"

#include "base/config.h"
#include "base/status.h"

const hy_net_ops *const hy_nets[] = {&hy_net_verbs, &hy_net_ofi, NULL};

int hy_net_read_wish(hy_net_wish *wish)
{
    long seconds;
    wish->device = hy_config_text("NET_DEVICE");
    int rc = hy_config_long("NET_SILENCE", HY_NET_SILENCE_MS / 1000, 1, 3600, &seconds);
    if (!rc) wish->silence_ms = (uint32_t)seconds * 1000;
    return rc;
}
