/* SPDX-License-Identifier: Apache-2.0 */
/* Finds keys in a line of PMI-1 and checks its command and result. */
#include "boot/pmi1_message.h"

#include <string.h>

#include "base/status.h"

/* The value of `key` in the line, and its length; NULL: no such key. */
static const char *pmi1_message_find(const char *line, const char *key, size_t *length)
{
    size_t wanted = strlen(key);
    while (*line) {
        size_t word = strcspn(line, " ");
        if (word > wanted && strncmp(line, key, wanted) == 0 && line[wanted] == '=') {
            *length = word - wanted - 1;
            return line + wanted + 1;
        }
        line += word;
        line += strspn(line, " ");
    }
    return NULL;
}

bool hy_pmi1_value(const char *line, const char *key, char *value, size_t room)
{
    size_t length;
    const char *found = pmi1_message_find(line, key, &length);
    if (!found || length >= room) return false;
    memcpy(value, found, length);
    value[length] = '\0';
    return true;
}

int hy_pmi1_check(const char *line, const char *command)
{
    char name[64], rc[16] = "0", why[128] = "no reason given";
    if (!hy_pmi1_value(line, "cmd", name, sizeof name) || strcmp(name, command) != 0)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the launcher sent \"%.100s\" over PMI_FD, expected \"cmd=%s ...\" of PMI-1",
                       line, command);
    size_t length;
    bool told = pmi1_message_find(line, "rc", &length) != NULL;
    if (!told || (hy_pmi1_value(line, "rc", rc, sizeof rc) && strcmp(rc, "0") == 0))
        return HAYATE_OK;
    hy_pmi1_value(line, "msg", why, sizeof why);
    return hy_fail(HAYATE_ERR_LAUNCH, "the launcher answered \"%s\" with rc=%s: %s", command, rc,
                   why);
}
