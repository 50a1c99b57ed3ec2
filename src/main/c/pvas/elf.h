/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an ELF file requires of a loader. Nothing in the file is trusted: what hy_elf_read() accepts
 * can be mapped without further checks of sizes, order or overflow.
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
    hy_elf_segment segments[HY_ELF_SEGMENTS_MAX]; /* ordered by address; no two share a page */
    int count;                                    /* at least 1 */
    uint64_t low, high;                           /* whole pages that the segments cover */
    uint64_t alignment;                           /* of `low`: a power of two, at least a page */
    uint64_t entry;
    uint64_t headers; /* address of the program headers; 0: no segment contains them */
    uint32_t header_count;
    bool executable_stack;
    char interpreter[HY_ELF_INTERPRETER_MAX]; /* "": none */
} hy_elf;

/* Reads the file, which must fit into `room` bytes; problems call it `name`. UNSUPPORTED: it is
 * damaged, or not a position-independent program for this machine (the problem says which);
 * NO_MEMORY: it is larger than room; SYSTEM: it cannot be read. */
HY_BARE_TOO int hy_elf_read(int fd, const char *name, uint64_t room, hy_elf *elf,
                            hy_problem *problem);

#endif
