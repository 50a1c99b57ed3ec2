/* SPDX-License-Identifier: Apache-2.0 */
/* A line of PMI-1 over PMI_FD: "cmd=NAME key=value key=value". The launcher's lines are not
 * trusted. */
#ifndef HY_BOOT_PMI1_MESSAGE_H
#define HY_BOOT_PMI1_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The longest line, with a 0 instead of the newline. */
#define HY_PMI1_LINE 2048

/* The value of `key`, up to the next space; false: no such key, or longer than `room`. */
bool hy_pmi1_value(const char *line, const char *key, char *value, size_t room);

/* HAYATE_OK if the line is a `command` without an error (rc=0, or no rc); else LAUNCH. */
int hy_pmi1_check(const char *line, const char *command);

#endif
