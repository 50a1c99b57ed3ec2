/* SPDX-License-Identifier: Apache-2.0 */
/* The names of what threads wait for, and of what the flight recorder records. */
#ifndef HY_WATCHDOG_AWAITED_H
#define HY_WATCHDOG_AWAITED_H

#include "job/waits.h"

/* "send", "receive", "requests", "send_buffer", "collective", "persistent", "records", "word",
 * "turn", "fence", "node" */
const char *hy_awaited_kind_name(const hy_awaited *awaited);

/* "allreduce"; NULL: it is no collective. */
const char *hy_awaited_collective(const hy_awaited *awaited);

/* The same for a wait that is for a collective: "collective" if other processes have written a
 * number that none has. */
const char *hy_awaited_collective_of(const hy_awaited *awaited);

#endif
