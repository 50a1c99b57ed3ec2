/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses which of libfabric's offers a process uses: provider, interface, and features. */
#ifndef HY_NET_OFI_CHOOSE_H
#define HY_NET_OFI_CHOOSE_H

#include <stdbool.h>

#include "net/net.h"
#include "net/ofi/ofi_library.h"

/* The chosen offer, which calls->freeinfo() frees. *ordered: the provider keeps messages and reads
 * behind the writes before them; otherwise writes complete on delivery. UNSUPPORTED with what is
 * available. */
int hy_ofi_choose(const hy_ofi_calls *calls, const hy_net_attr *attr, struct fi_info **chosen,
                  bool *ordered);

/* The class of the provider that moves the data, which is the first one in "verbs;ofi_rxm". */
hy_net_class hy_ofi_class(const struct fi_info *info);

#endif
