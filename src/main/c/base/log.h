/* SPDX-License-Identifier: Apache-2.0 */
/* The log goes to stderr, never to stdout: HAYATE_LOG = error | warn (default) | info | debug. */
#ifndef HY_BASE_LOG_H
#define HY_BASE_LOG_H

enum { HY_LOG_ERROR, HY_LOG_WARN, HY_LOG_INFO, HY_LOG_DEBUG };

int hy_log_on(int level);
void hy_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#endif
