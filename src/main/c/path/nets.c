/* SPDX-License-Identifier: Apache-2.0 */
#include "path/net.h"

const hy_net_ops *const hy_nets[] = {&hy_net_verbs, &hy_net_ofi, NULL};
