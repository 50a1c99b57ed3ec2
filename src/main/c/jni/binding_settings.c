/* SPDX-License-Identifier: Apache-2.0 */
/* The table of settings, for JNA: `hayate info --settings`, and the tests of the documentation. */
#include <stdio.h>

#include "base/settings.h"
#include "base/status.h"

/* The same values as in SettingsBinding. */
enum { NAME, PROPERTY, TYPE, DEFAULT, ACCEPTED, READER, MEANING };

static const hy_setting *row_at(int index)
{
    return index >= 0 && index < HY_SETTINGS ? &hy_settings[index] : NULL;
}

static const char *type_of(const hy_setting *row)
{
    switch (row->type) {
    case HY_TYPE_CHOICE: return "choice";
    case HY_TYPE_NUMBER: return "number";
    case HY_TYPE_BYTES: return "bytes";
    case HY_TYPE_RANGE: return "range";
    case HY_TYPE_NAME: return "name";
    case HY_TYPE_FILE: return "file";
    case HY_TYPE_FOLDERS: return "directories";
    case HY_TYPE_OPTIONS: return "options";
    default: return "rank";
    }
}

HAYATE_API int hayate_binding_setting_count(void)
{
    return HY_SETTINGS;
}

/* Writes a field of a row, terminated by a 0; "" if it has none. `text` has room for `room`
 * bytes. */
HAYATE_API void hayate_binding_setting_field(int index, int field, char *text, int room)
{
    const hy_setting *row = row_at(index);
    const char *found = NULL;
    if (!row || room < 1) return;
    text[0] = '\0';
    switch (field) {
    case NAME: found = row->name; break;
    case PROPERTY: found = row->property; break;
    case TYPE: found = type_of(row); break;
    case DEFAULT: hy_setting_print_default(row, text, (size_t)room); break;
    case ACCEPTED: hy_setting_print_accepted(row, text, (size_t)room); break;
    case READER: found = row->reader; break;
    default: found = row->meaning; break;
    }
    if (found) snprintf(text, (size_t)room, "%s", found);
}

/* Whether the property takes precedence over the environment variable. */
HAYATE_API int hayate_binding_setting_property_first(int index)
{
    return row_at(index) && row_at(index)->property_first;
}

/* What is wrong with a value; NULL if nothing is. */
HAYATE_API const char *hayate_binding_setting_problem(int index, const char *value)
{
    const hy_setting *row = row_at(index);
    return row && value && hy_setting_check(row, value) ? hayate_error() : NULL;
}

/* A sentence about an environment variable that is not a setting; "" for all others. */
HAYATE_API void hayate_binding_setting_unknown(const char *name, char *text, int room)
{
    if (room > 0) hy_setting_explain_unknown(name, text, (size_t)room);
}

/* Warns about such variables in the environment. */
HAYATE_API void hayate_binding_settings_warn(void)
{
    hy_settings_warn();
}
