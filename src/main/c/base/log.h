/* SPDX-License-Identifier: Apache-2.0 */
/* The log. It goes to stderr, or to a reader in this process, never to stdout. HAYATE_LOG sets
 * its level: error | warn (default) | info | debug. */
#ifndef HY_BASE_LOG_H
#define HY_BASE_LOG_H

#include <stddef.h>

enum { HY_LOG_ERROR, HY_LOG_WARN, HY_LOG_INFO, HY_LOG_DEBUG };

/* Whether lines of this level are written. One load: HAYATE_LOG is read at the first call. */
int hy_log_on(int level);

/* Reads HAYATE_LOG again. An invalid value counts as warn. */
void hy_log_setup(void);

/* Preserves errno. A line has at most about 900 bytes. */
void hy_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* ---- the reader ---- */

/* From now on, lines are kept for hy_log_take(). Lines go to stderr if HY_LOG_QUEUE_LINES lines
 * are already kept, if they come from a child of fork(), and if they are still kept when the
 * process exits. */
void hy_log_attach(void);

/* Waits for the next line; for one thread at a time. Returns its level and stores its text, cut
 * at `size` bytes, prefixed by "[rank] " if a launcher gave a rank. Below 0: after
 * hy_log_detach(). The line is kept until the next call, so that it is not lost if the process
 * exits before the reader has processed it. */
int hy_log_take(char *text, size_t size);

/* The reader cannot process the line that it has taken: it goes to stderr, after `why` unless
 * that is NULL. */
void hy_log_refuse(const char *why);

/* Further lines go to stderr, and hy_log_take() ends. */
void hy_log_detach(void);

#endif
