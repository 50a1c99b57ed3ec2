/* SPDX-License-Identifier: Apache-2.0 */
/* Searches the directories of HAYATE_LIBRARIES, then leaves the search to dlopen(). */
#include "base/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/handlers.h"
#include "base/settings.h"
#include "base/status.h"

static bool is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* A missing directory is an error, and different from a directory without the library. */
static int look_in(const char *folder, const char *name, char *path, size_t room)
{
    if (!is_folder(folder))
        return hy_fail(HAYATE_ERR_ARGUMENT, "HAYATE_LIBRARIES: %.200s is not a directory", folder);
    int length = snprintf(path, room, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= room || access(path, F_OK) != 0) path[0] = '\0';
    return HAYATE_OK;
}

int hy_library_find(const char *name, char *path, size_t size)
{
    const char *folders = hy_setting_text(HY_SET(LIBRARIES));
    int rc = folders ? hy_setting_check(HY_SET(LIBRARIES), folders) : HAYATE_OK;
    path[0] = '\0';
    while (!rc && folders && *folders && !path[0]) {
        char folder[PATH_MAX];
        size_t length = strcspn(folders, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
        rc = look_in(folder, name, path, size);
        folders += length + (folders[length] == ':');
    }
    if (!rc && !path[0]) snprintf(path, size, "%s", name);
    return rc;
}

void *hy_library_open(const char *name)
{
    char path[PATH_MAX];
    if (hy_library_find(name, path, sizeof path)) return NULL;
    hy_handlers_keep();
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    hy_handlers_put_back();
    if (!library) hy_fail(HAYATE_ERR_UNSUPPORTED, "%s", dlerror());
    return library;
}
