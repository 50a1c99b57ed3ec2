/* SPDX-License-Identifier: Apache-2.0 */
/* Text of other processes that is shown: a terminal obeys control characters. */
#ifndef HY_BASE_PRINTABLE_H
#define HY_BASE_PRINTABLE_H

#include <stddef.h>

/* Puts "?" in place of what is not printable ASCII, up to the NUL, or in all `room` bytes. */
static inline void hy_make_printable(char *text, size_t room)
{
    for (size_t i = 0; i < room && text[i]; i++)
        if (text[i] < ' ' || text[i] > '~') text[i] = '?';
}

#endif
