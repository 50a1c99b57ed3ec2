/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libraries at run time, if they are needed and installed. No other code calls dlopen(). */
#ifndef HY_BASE_LIBRARY_H
#define HY_BASE_LIBRARY_H

#include <stddef.h>

/* Loads `name`, such as "libfabric.so.1", from the first directory of HAYATE_LIBRARIES that
 * contains it, otherwise from the system's search path. If the file in such a directory cannot
 * be loaded, other places are not tried. NULL after an error: hayate_error() returns the reason.
 * Never unloaded. Keeps the signal handlers (handlers.h); callers do the same for the first calls
 * of the library. */
void *hy_library_open(const char *name);

/* Stores the file that hy_library_open() would load in `path`, or `name` itself. ARGUMENT: a
 * directory of HAYATE_LIBRARIES does not exist. */
int hy_library_find(const char *name, char *path, size_t size);

#endif
