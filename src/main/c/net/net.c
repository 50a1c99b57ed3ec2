/* SPDX-License-Identifier: Apache-2.0 */
/* The table of networks, and the settings that all of them share. */
#include "net/net.h"

#include "base/settings.h"
#include "base/status.h"

#define ENDPOINTS 8 /* default of HAYATE_ENDPOINTS */

const hy_net_ops *const hy_nets[] = {&hy_net_verbs, &hy_net_ofi, NULL};

int hy_net_read_attr(hy_net_attr *attr)
{
    uint64_t seconds = 0, low = 0, high = 0, any = 0;
    attr->device = hy_setting_text(HY_SET(NET_DEVICE));
    int rc = hy_setting_value(HY_SET(NET_SILENCE), &seconds);
    if (!rc) rc = hy_setting_range(HY_SET(NET_PORTS), &low, &high);
    if (!rc) rc = hy_setting_value(HY_SET(NET_ADMIT), &any);
    if (rc) return rc;
    attr->silence_ms = (uint32_t)seconds * 1000;
    attr->port_low = (int)low;
    attr->port_high = (int)high;
    if (any) attr->hosts.count = 0;
    return HAYATE_OK;
}

int hy_net_read_endpoints(int *count)
{
    uint64_t number;
    int rc = hy_setting_value(HY_SET(ENDPOINTS), &number);
    *count = number == HY_ENDPOINTS_AUTO     ? ENDPOINTS
             : number == HY_ENDPOINTS_THREAD ? HY_ENDPOINTS_HIGH
                                             : (int)number;
    return rc;
}
