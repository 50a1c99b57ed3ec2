/* SPDX-License-Identifier: Apache-2.0 */
/* The log goes to stderr, or to a reader in this process; never to stdout. HAYATE_LOG says how much
 * of it: error | warn (default) | info | debug. */
#ifndef HY_BASE_LOG_H
#define HY_BASE_LOG_H

#include <stddef.h>

enum { HY_LOG_ERROR, HY_LOG_WARN, HY_LOG_INFO, HY_LOG_DEBUG };

/* Whether lines of this level are written. One load: HAYATE_LOG is read at the first call. */
int hy_log_on(int level);

/* Reads HAYATE_LOG again. A value that is no level counts as warn. */
void hy_log_setup(void);

/* Leaves errno alone. A line has at most about 900 bytes. */
void hy_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* ---- the reader ---- */

/* From now on lines are kept for hy_log_take(). Those that find HY_LOG_QUEUE_LINES kept ones, those
 * of children of fork(), and those that are still kept when the process exits, go to stderr. */
void hy_log_attach(void);

/* Waits for the next line; of one thread at a time. Its level and its text, cut at `size` bytes,
 * with "[rank] " in front where a launcher has given one. Below 0: after hy_log_detach(). The line
 * is kept until the next call: it is not lost if the process exits before the reader has used it.
 */
int hy_log_take(char *text, size_t size);

/* The reader cannot use the line that it has taken: it goes to stderr. `why`, unless NULL, is said
 * before it. */
void hy_log_refuse(const char *why);

/* Further lines go to stderr, and hy_log_take() ends. */
void hy_log_detach(void);

#endif
