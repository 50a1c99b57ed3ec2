/* SPDX-License-Identifier: Apache-2.0 */
/* The path of the tuning file, and the name of the machine that it is for. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/status.h"
#include "choose/tuning.h"

/* If the kernel tells the processor's name, it is among the first lines. */
#define CPUINFO_LINES 64

/* Reads the text behind the colon of the first "model name", without surrounding blanks. */
static bool read_processor(FILE *file, char *name, size_t size)
{
    char line[512];
    for (int i = 0; i < CPUINFO_LINES && fgets(line, sizeof line, file); i++) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        return name[0] != '\0';
    }
    return false;
}

static void processor(char *name, size_t size, const struct utsname *kernel)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file || !read_processor(file, name, size)) snprintf(name, size, "%s", kernel->machine);
    if (file) fclose(file);
}

void hy_tuning_machine(char *text, size_t size)
{
    char name[80];
    int major = 0, minor = 0;
    struct utsname kernel = {.sysname = "unknown"};
    uname(&kernel);
    processor(name, sizeof name, &kernel);
    if (sscanf(kernel.release, "%d.%d", &major, &minor) < 1) major = 0;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(text, size, "%s, %ld CPU%s, %.32s %d.%d", name, cpus, cpus == 1 ? "" : "s",
             kernel.sysname, major, minor);
    /* The text goes into a file and into messages. */
    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
}

/* FNV-1a, 64 bits: for a file name only, not for security. */
static uint64_t hash(const char *text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return value;
}

static int tuning_place_too_long(size_t size)
{
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "the tuning file's path has %zu characters or more; set HAYATE_TUNING to a "
                   "shorter one",
                   size);
}

int hy_tuning_path(char *path, size_t size)
{
    char machine[160];
    int length;
    const char *file = hy_setting_text(HY_SET(TUNING));
    if (file && strcmp(file, "none") == 0) file = "";
    if (file) {
        length = snprintf(path, size, "%s", file);
        return (size_t)length < size ? HAYATE_OK : tuning_place_too_long(size);
    }
    /* By the XDG Base Directory Specification, a relative path is ignored. */
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && cache[0] == '/';
    if (!own && (!home || home[0] != '/'))
        return hy_fail(HAYATE_ERR_SYSTEM, "no place for the tuning file: expected HOME or "
                                          "XDG_CACHE_HOME to be a directory; set HAYATE_TUNING");
    hy_tuning_machine(machine, sizeof machine);
    length = snprintf(path, size, "%s%s/hayate/tuning-%016" PRIx64 ".conf", own ? cache : home,
                      own ? "" : "/.cache", hash(machine));
    return (size_t)length < size ? HAYATE_OK : tuning_place_too_long(size);
}
