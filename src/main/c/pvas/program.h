/* SPDX-License-Identifier: Apache-2.0 */
/* The file that is to be run: opened and checked like in exec, and with the #! lines of scripts
 * followed. */
#ifndef HY_PVAS_PROGRAM_H
#define HY_PVAS_PROGRAM_H

#include <limits.h>

#include "pvas/elf.h"

#define HY_SCRIPT_DEPTH 5
#define HY_SCRIPT_LINE 256

typedef struct hy_program {
    int fd, interpreter_fd; /* -1: none */
    hy_elf elf, interpreter;
    /* The words that scripts put in front of the arguments: up to two for each "#!". */
    const char *words[2 * HY_SCRIPT_DEPTH];
    int word_count;
    char path[PATH_MAX]; /* of the script, as its interpreter opens it, or of the program */
    char lines[HY_SCRIPT_DEPTH][HY_SCRIPT_LINE]; /* `words` point into these */
} hy_program;

/* Both files together may use at most `room` bytes of addresses. With `moves`, the program does not
 * start in the caller's directory, so relative names are made absolute. The errors of exec become
 * problems: UNSUPPORTED, NO_MEMORY (hy_elf_read()), or SYSTEM with errno. */
HY_BARE_TOO int hy_program_open(const char *path, uint64_t room, bool moves, hy_program *program,
                                hy_problem *problem);

HY_BARE_TOO void hy_program_close(hy_program *program);

#endif
