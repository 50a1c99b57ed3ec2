/* SPDX-License-Identifier: Apache-2.0 */
/* The table of networks, in the order of preference. */
#include "path/net.h"

const hy_net_ops *const hy_nets[] = {&hy_net_verbs, &hy_net_ofi, NULL};
