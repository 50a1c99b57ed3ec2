/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers without an address and users' functions may belong to a language that has to know each
 * thread that comes to them. Threads of our own enter it before they do anything else, so that no
 * data are lost later because they cannot.
 */
#ifndef HY_BASE_FOREIGN_H
#define HY_BASE_FOREIGN_H

#include <stdbool.h>

/* Makes the calling thread one of the language's; false: there is no memory for it. NULL where the
 * program is in C. Set before the first thread is started. */
extern bool (*hy_foreign_enter)(void);

#endif
