/* SPDX-License-Identifier: Apache-2.0 */
/* Reads HAYATE_FLIGHT. */
#include "base/flight_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "base/status.h"

static const char *temporary(void)
{
    const char *place = getenv("TMPDIR");
    return place && place[0] == '/' ? place : "/tmp";
}

int hy_flight_place(char directory[HY_FLIGHT_PATH])
{
    const char *text = hy_setting_text(HY_SET(FLIGHT));
    directory[0] = '\0';
    if (!text || strcmp(text, "off") == 0) return HAYATE_OK;
    const char *place = strcmp(text, "on") == 0 ? temporary() : text;
    int length = snprintf(directory, HY_FLIGHT_PATH, "%s", place);
    if (place[0] == '/' && length < HY_FLIGHT_PATH) return HAYATE_OK;
    directory[0] = '\0';
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "HAYATE_FLIGHT=%.200s: expected off, on, or the absolute path of a directory, "
                   "shorter than %d bytes",
                   text, HY_FLIGHT_PATH);
}
