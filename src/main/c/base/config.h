/* SPDX-License-Identifier: Apache-2.0 */
/* Settings come from environment variables HAYATE_<NAME>. A value that cannot be understood is an
 * error that names the variable, the value and what was expected; it is never silently ignored. */
#ifndef HY_BASE_CONFIG_H
#define HY_BASE_CONFIG_H

#include <stddef.h>
#include <stdint.h>

/* Text like "64M", "4K", "1g", "4096" to bytes. 0, or HAYATE_ERR_ARGUMENT without a reason. */
int hy_parse_bytes(const char *text, uint64_t *bytes);

/* HAYATE_<name> as it stands, NULL when unset or empty. */
const char *hy_config_text(const char *name);

/* HAYATE_<name> as bytes within [low, high]; `fallback` when unset. */
int hy_config_bytes(const char *name, uint64_t fallback, uint64_t low, uint64_t high,
                    uint64_t *value);

/* HAYATE_<name> as a decimal number within [low, high]; `fallback` when unset. */
int hy_config_long(const char *name, long fallback, long low, long high, long *value);

/* HAYATE_<name> as one of `choices` (NULL-terminated); its index in *value. */
int hy_config_choice(const char *name, int fallback, const char *const *choices, int *value);

#endif
