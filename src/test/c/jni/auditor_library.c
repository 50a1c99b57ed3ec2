/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For LD_AUDIT, see rtld-audit(7): the dynamic linker tells of each file that it has just mapped,
 * before anything of it runs. A line for each is appended to the file HAYATE_TEST_AUDIT:
 * NAME, then UID:MODE:CHANGED of it, then UID:MODE:CHANGED of each directory up to the root.
 */
#include <fcntl.h>
#include <libgen.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

static void add(char *line, size_t room, const struct stat *file)
{
    size_t length = strlen(line);
    snprintf(line + length, room - length, " %u:%o:%lld", file->st_uid, file->st_mode,
             (long long)file->st_ctime);
}

/* A program may have lost its name meanwhile: it is told by its process. */
static void tell(const char *name, const char *otherwise)
{
    char line[4096 + 64 * 32], path[4096];
    struct stat file;
    int fd = open(getenv("HAYATE_TEST_AUDIT"), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) return;
    snprintf(line, sizeof line, "%s", name);
    if (stat(name, &file) == 0 || (otherwise && stat(otherwise, &file) == 0))
        add(line, sizeof line, &file);
    snprintf(path, sizeof path, "%s", name);
    do {
        if (stat(dirname(path), &file) == 0) add(line, sizeof line, &file);
    } while (path[1]);
    strcat(line, "\n");
    (void)!write(fd, line, strlen(line));
    close(fd);
}

EXPORTED unsigned la_version(unsigned version)
{
    return getenv("HAYATE_TEST_AUDIT") && version ? LAV_CURRENT : 0;
}

/* The program itself has no name here. */
EXPORTED unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
    (void)space, (void)cookie;
    const char *program = (const char *)getauxval(AT_EXECFN);
    if (map->l_name[0] == '/') tell(map->l_name, NULL);
    else if (map->l_name[0] == '\0' && program[0] == '/') tell(program, "/proc/self/exe");
    return 0;
}
