/* SPDX-License-Identifier: Apache-2.0 */
/* Maps a checked ELF file into a partition. */
#ifndef HY_PVAS_LOAD_H
#define HY_PVAS_LOAD_H

#include "pvas/elf.h"
#include "pvas/partition.h"

/* The location of a loaded file. */
typedef struct hy_loaded {
    uint64_t bias; /* to be added to the file's addresses */
    uint64_t end;  /* of its last page */
    /* The ends of pages behind the contents of the file. The task itself clears them: if somebody
     * truncates the file meanwhile, the spawner does not take the fault. */
    hy_range tails[HY_ELF_SEGMENTS_MAX];
    int tail_count;
} hy_loaded;

/* Checks the result of a system call that maps `what`: NO_MEMORY, SYSTEM. */
HY_BARE_TOO int hy_load_check(long result, const char *what, hy_problem *problem);

/* Loads the file at the first address from `at` on that has its alignment. NO_MEMORY, SYSTEM. After
 * an error the caller unmaps the parts that are mapped, together with the partition. */
HY_BARE_TOO int hy_load(int fd, const hy_elf *elf, const char *name, uint64_t at, hy_loaded *loaded,
                        hy_problem *problem);

#endif
