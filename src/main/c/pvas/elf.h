/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an ELF file asks of a loader. Nothing in the file is trusted: what hy_elf_read() accepts can
 * be mapped without another look at sizes, orders or sums.
 */
#ifndef HY_PVAS_ELF_H
#define HY_PVAS_ELF_H

#include "pvas/problem.h"

#define HY_ELF_SEGMENTS_MAX 32
#define HY_ELF_INTERPRETER_MAX 256

typedef struct hy_elf_segment {
    uint64_t address, file_bytes, memory_bytes, offset;
    int protection; /* PROT_* */
} hy_elf_segment;

typedef struct hy_elf {
    hy_elf_segment segments[HY_ELF_SEGMENTS_MAX]; /* by address, no two on one page */
    int count;                                    /* at least 1 */
    uint64_t low, high;                           /* whole pages that they cover */
    uint64_t alignment;                           /* of low, a power of two, at least a page */
    uint64_t entry;
    uint64_t headers; /* address of the program headers; 0: in no segment */
    uint32_t header_count;
    bool executable_stack;
    char interpreter[HY_ELF_INTERPRETER_MAX]; /* "": there is none */
} hy_elf;

/* Reads the file, `name` in problems, which must fit into `room` bytes. UNSUPPORTED: it is no
 * position-independent program of this machine, or damaged: the problem says which; NO_MEMORY: it
 * is longer than room; SYSTEM: it cannot be read. */
HY_BARE_TOO int hy_elf_read(int fd, const char *name, uint64_t room, hy_elf *elf,
                            hy_problem *problem);

#endif
