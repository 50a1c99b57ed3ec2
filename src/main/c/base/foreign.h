/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers without an address and users' functions may belong to a language runtime that must
 * know each thread that accesses them. Threads of the library enter the runtime before they do
 * anything else, so that no data are lost later because they cannot enter. */
#ifndef HY_BASE_FOREIGN_H
#define HY_BASE_FOREIGN_H

#include <stdbool.h>

/* Attaches the calling thread to the language runtime; false: no memory. NULL in a C program.
 * Set before the first thread is started. */
extern bool (*hy_foreign_enter)(void);

#endif
