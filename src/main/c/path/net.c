/* SPDX-License-Identifier: Apache-2.0 */
#include "path/net.h"

#include <stdio.h>

#include "base/config.h"
#include "base/status.h"

const hy_net_ops *const hy_nets[] = {&hy_net_verbs, &hy_net_ofi, NULL};

#define PORT_HIGH 65535

static int read_ports(hy_net_wish *wish)
{
    const char *text = hy_config_text("NET_PORTS");
    int end = 0;
    if (!text) return HAYATE_OK;
    if (sscanf(text, "%5d-%5d%n", &wish->port_low, &wish->port_high, &end) == 2 && !text[end] &&
        wish->port_low > 0 && wish->port_low <= wish->port_high && wish->port_high <= PORT_HIGH)
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "HAYATE_NET_PORTS=%s: expected LOW-HIGH, two ports from 1 to %d, such as"
                   " 47000-47999",
                   text, PORT_HIGH);
}

int hy_net_read_wish(hy_net_wish *wish)
{
    static const char *const admitted[] = {"hosts", "any", NULL};
    long seconds;
    int any;
    wish->device = hy_config_text("NET_DEVICE");
    int rc = hy_config_long("NET_SILENCE", HY_NET_SILENCE_MS / 1000, 1, 3600, &seconds);
    if (!rc) wish->silence_ms = (uint32_t)seconds * 1000;
    if (!rc) rc = read_ports(wish);
    if (!rc) rc = hy_config_choice("NET_ADMIT", 0, admitted, &any);
    if (!rc && any) wish->hosts.count = 0;
    return rc;
}
