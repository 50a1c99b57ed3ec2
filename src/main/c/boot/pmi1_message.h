/* SPDX-License-Identifier: Apache-2.0 */
/* A line of PMI-1 as it is spoken over PMI_FD: "cmd=NAME key=value key=value". The launcher's lines
 * come from outside. */
#ifndef HY_BOOT_PMI1_MESSAGE_H
#define HY_BOOT_PMI1_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Longest line, with the 0 in place of its end. */
#define HY_PMI1_LINE 2048

/* The value of `key`, up to the next space; false: there is none, or it needs more than `room`. */
bool hy_pmi1_value(const char *line, const char *key, char *value, size_t room);

/* HAYATE_OK when the line is a `command` without an error (rc=0, or no rc); else LAUNCH. */
int hy_pmi1_check(const char *line, const char *command);

#endif
