/* SPDX-License-Identifier: Apache-2.0 */
/* Which of libfabric's offers a process takes: provider, interface, and what of it is used. */
#ifndef HY_PATH_OFI_CHOOSE_H
#define HY_PATH_OFI_CHOOSE_H

#include <stdbool.h>

#include "path/net.h"
#include "path/ofi/ofi_library.h"

/* The offer to take, to be freed by calls->freeinfo(). *ordered: it keeps messages and reads behind
 * the writes before them; without, writes report when they are delivered.
 * UNSUPPORTED with what there is. */
int hy_ofi_choose(const hy_ofi_calls *calls, const hy_net_attr *attr, struct fi_info **chosen,
                  bool *ordered);

/* By the provider that moves the data, the first of "verbs;ofi_rxm". */
hy_net_class hy_ofi_class(const struct fi_info *info);

#endif
