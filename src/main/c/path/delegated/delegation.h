/* SPDX-License-Identifier: Apache-2.0 */
/* The delegation area: where the ranks of a node and its delegatee meet, in the control area of the
 * node's segment (hy_control_delegation()). */
#ifndef HY_PATH_DELEGATED_DELEGATION_H
#define HY_PATH_DELEGATED_DELEGATION_H

#include <stdint.h>

/* The bytes that the area of a node with that many ranks needs, a multiple of HY_LINE. */
uint64_t hy_delegation_bytes(uint32_t parts);

/* Called by the delegatee, in zeroed memory, before anybody else knows of the area. */
void hy_delegation_init(void *area, uint32_t parts);

/* Called by the launcher when the delegatee has ended before the ranks: from then on they are told.
 * why: exit status, or 256 + signal, or 0 if it does not answer. The caller rings their bells. */
void hy_delegation_end(void *area, uint32_t why);

#endif
