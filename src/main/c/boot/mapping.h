/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings of segments that the ranks of a process share: ranks that are threads of one process
 * use one mapping, so that an offset from a part means the same address for all of them. */
#ifndef HY_BOOT_MAPPING_H
#define HY_BOOT_MAPPING_H

#include "boot/control.h"

/* Maps all of a segment like hy_segment_map(), or returns the mapping that this process has
 * already. Any thread. */
int hy_mapping_take(int fd, uint32_t size, uint64_t bytes, hy_control **control);

/* Unmaps it when all that have taken it have dropped it. */
void hy_mapping_drop(hy_control *control);

/* A random value, the same in all calls of this process. */
void hy_mapping_space(uint8_t space[16]);

#endif
