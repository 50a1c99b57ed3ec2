/* SPDX-License-Identifier: Apache-2.0 */
/* For ForeignLibrary, by JNA: where a library is, and the signal handlers while Java loads it. */
#include "base/handlers.h"
#include "base/library.h"
#include "base/status.h"

/* Writes the file name of a library into `text`, or returns ARGUMENT if HAYATE_LIBRARIES is
 * wrong. */
HAYATE_API int hayate_binding_library_file(const char *name, char *text, int room)
{
    return hy_library_find(name, text, (size_t)(room > 0 ? room : 0));
}

HAYATE_API void hayate_binding_handlers_keep(void)
{
    hy_handlers_keep();
}

HAYATE_API void hayate_binding_handlers_put_back(void)
{
    hy_handlers_put_back();
}
