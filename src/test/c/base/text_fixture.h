/* SPDX-License-Identifier: Apache-2.0 */
/* Texts made by a format, as arguments of a call. */
#ifndef HY_TEST_TEXT_FIXTURE_H
#define HY_TEST_TEXT_FIXTURE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* As of printf(); this thread's next eight texts leave it as it is. */
__attribute__((format(printf, 1, 2))) static inline const char *text_of(const char *format, ...)
{
    static _Thread_local char texts[9][4096];
    static _Thread_local unsigned next;
    char *text = texts[next++ % 9];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof texts[0], format, arguments) >= (int)sizeof texts[0]) abort();
    va_end(arguments);
    return text;
}

#endif
