/* SPDX-License-Identifier: Apache-2.0 */
/* A directory for HAYATE_LIBRARIES in which a library is another one. Include behind cmocka. */
#ifndef TEST_LIBRARY_FIXTURE_H
#define TEST_LIBRARY_FIXTURE_H

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct library_folder {
    char path[64], file[PATH_MAX];
} library_folder;

/* `target` is a path, or a library that is loaded. False: it cannot be made. */
static inline bool library_folder_make(library_folder *folder, const char *name, const char *target)
{
    struct link_map *map = NULL;
    char real[PATH_MAX];
    snprintf(folder->path, sizeof folder->path, "/tmp/hayate-libraries-XXXXXX");
    void *loaded = *target == '/' ? NULL : dlopen(target, RTLD_NOW);
    if (loaded && dlinfo(loaded, RTLD_DI_LINKMAP, &map) == 0) target = map->l_name;
    if (!realpath(target, real) || !mkdtemp(folder->path)) return false;
    snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
    setenv("HAYATE_LIBRARIES", folder->path, 1);
    return symlink(real, folder->file) == 0;
}

static inline void library_folder_remove(const library_folder *folder)
{
    unlink(folder->file);
    rmdir(folder->path);
    unsetenv("HAYATE_LIBRARIES");
}

#endif
