/* SPDX-License-Identifier: Apache-2.0 */
/* The file that is to be run: opened and checked as exec does, with the #! of scripts followed. */
#ifndef HY_PVAS_PROGRAM_H
#define HY_PVAS_PROGRAM_H

#include <limits.h>

#include "pvas/elf.h"

#define HY_SCRIPT_DEPTH 5
#define HY_SCRIPT_LINE 256

typedef struct hy_program {
    int fd, interpreter_fd; /* -1: there is none */
    hy_elf elf, interpreter;
    /* What a script puts in front of its arguments: with two words for each "#!". */
    const char *words[2 * HY_SCRIPT_DEPTH];
    int word_count;
    char path[PATH_MAX]; /* of the script, as its interpreter is to open it; or of the program */
    char lines[HY_SCRIPT_DEPTH][HY_SCRIPT_LINE]; /* words point into these */
} hy_program;

/* Both files together need at most `room` bytes of addresses. With `moves` the program does not
 * start in the caller's directory, so that relative names are made absolute. What exec's errors are
 * are problems here: UNSUPPORTED, NO_MEMORY (hy_elf_read()), SYSTEM with errno. */
HY_BARE_TOO int hy_program_open(const char *path, uint64_t room, bool moves, hy_program *program,
                                hy_problem *problem);

HY_BARE_TOO void hy_program_close(hy_program *program);

#endif
