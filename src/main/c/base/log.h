/* SPDX-License-Identifier: Apache-2.0 */
/* The log goes to stderr, never to stdout. HAYATE_LOG says how much of it: error | warn (default) |
 * info | debug. */
#ifndef HY_BASE_LOG_H
#define HY_BASE_LOG_H

enum { HY_LOG_ERROR, HY_LOG_WARN, HY_LOG_INFO, HY_LOG_DEBUG };

/* Whether lines of this level are written. One load: HAYATE_LOG is read at the first call. */
int hy_log_on(int level);

/* Reads HAYATE_LOG again. A value that is no level counts as warn. */
void hy_log_setup(void);

/* Leaves errno alone. A line has at most about 900 bytes. */
void hy_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#endif
