/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are loaded at run time, where they are needed and if they are there. */
#ifndef HY_BASE_LIBRARY_H
#define HY_BASE_LIBRARY_H

#include <stddef.h>

/*
 * Loads `name`, such as "libfabric.so.1": from the first directory of HAYATE_LIBRARIES that has it,
 * else from where the system looks. One that is in such a directory and cannot be loaded is not
 * looked for elsewhere. NULL after an error: hayate_error() says what was wrong. Never unloaded.
 */
void *hy_library_open(const char *name);

/* The file that hy_library_open() would load into `path`, or `name` itself. ARGUMENT: a directory
 * of HAYATE_LIBRARIES is not there. */
int hy_library_find(const char *name, char *path, size_t size);

#endif
