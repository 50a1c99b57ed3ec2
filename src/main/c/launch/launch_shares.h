/* SPDX-License-Identifier: Apache-2.0 */
/* Which CPUs each rank gets. All functions fill sets[0] to sets[ranks - 1]. */
#ifndef HY_LAUNCH_LAUNCH_SHARES_H
#define HY_LAUNCH_LAUNCH_SHARES_H

#include <stdbool.h>

#include "launch/launch_topology.h"

/* Divides all CPUs: whole cores while there are enough of them for all ranks, else hardware
 * threads. Shares are neighbours, differ as little as possible, and lie within one NUMA domain
 * wherever that makes none smaller than CPUs divided by ranks, rounded down. False: more ranks than
 * CPUs. */
bool hy_shares_divide(const hy_topology *topology, int ranks, cpu_set_t *sets);

/* So many CPUs for each rank: of whole cores while there are enough, within one NUMA domain where
 * that is possible. False: there are too few CPUs. */
bool hy_shares_exact(const hy_topology *topology, int ranks, int cpus, cpu_set_t *sets);

/* One CPU for each rank: on a core of its own while there are enough, then other hardware threads,
 * then those of other ranks. */
void hy_shares_single(const hy_topology *topology, int ranks, cpu_set_t *sets);

/* One whole NUMA domain, or one whole socket, for each rank. Ranks with neighbouring numbers share
 * it if there are more ranks. */
void hy_shares_domain(const hy_topology *topology, int ranks, cpu_set_t *sets);
void hy_shares_socket(const hy_topology *topology, int ranks, cpu_set_t *sets);

#endif
