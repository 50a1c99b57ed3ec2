/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a checked ELF file into a partition. */
#ifndef HY_PVAS_LOAD_H
#define HY_PVAS_LOAD_H

#include "pvas/elf.h"
#include "pvas/partition.h"

/* Where a file came to be. */
typedef struct hy_loaded {
    uint64_t bias; /* what is added to the file's addresses */
    uint64_t end;  /* of its last page */
    /* Ends of pages behind the contents of the file. The task itself clears them: if somebody cuts
     * the file off now, the fault is not the spawner's. */
    hy_range tails[HY_ELF_SEGMENTS_MAX];
    int tail_count;
} hy_loaded;

/* Of a system call that was to map `what`: NO_MEMORY, SYSTEM. */
HY_BARE_TOO int hy_load_check(long result, const char *what, hy_problem *problem);

/* At the first address from `at` on that has the alignment. NO_MEMORY, SYSTEM. What is mapped at an
 * error the caller unmaps with the partition. */
HY_BARE_TOO int hy_load(int fd, const hy_elf *elf, const char *name, uint64_t at, hy_loaded *loaded,
                        hy_problem *problem);

#endif
