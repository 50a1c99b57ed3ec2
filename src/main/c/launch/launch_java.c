/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From version 24 on, the JVM warns of native code, in four lines for each library and each rank,
 * unless an option allows it. Only the command line can silence this without a word: what the JVM
 * takes from JDK_JAVA_OPTIONS it announces in a line of its own. So the option is put behind
 * `java`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regular_file.h"
#include "launch/launch.h"

#define FIRST_TO_WARN 24

/* What the program would wait for, as a pipe, is left to it. */
static FILE *open_words(const char *path)
{
    int fd = hy_open_regular(path);
    return fd < 0 ? NULL : fdopen(fd, "r");
}

/* The major version of the JDK whose bin directory contains that file; 0: it is not in a JDK. */
static int version_of(const char *file)
{
    static const char key[] = "JAVA_VERSION=\"";
    char path[PATH_MAX + sizeof "/release"], line[256];
    int version = 0;
    if (!realpath(file, path)) return 0;
    for (int up = 0; up < 2; up++) { /* bin/java */
        char *slash = strrchr(path, '/');
        if (!slash) return 0;
        *slash = '\0';
    }
    strcat(path, "/release");
    FILE *release = open_words(path);
    while (release && !version && fgets(line, sizeof line, release))
        if (strncmp(line, key, sizeof key - 1) == 0) version = atoi(line + sizeof key - 1);
    if (release) fclose(release);
    return version;
}

/* What the user has decided about native code. With some options the JVM writes or reads an archive
 * of classes, which it can use only if it was written with the same value of
 * --enable-native-access: they decide as well. */
enum { NAMES_MODULES = 1, DECIDES_ALL = 2 };

static unsigned decision_of(const char *text)
{
    static const char *const options[] = {"--illegal-native-access", "-XX:AOT",
                                          "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit",
                                          "-Xshare:dump"};
    if (!text) return 0;
    unsigned decision = strstr(text, "--enable-native-access") ? NAMES_MODULES : 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strstr(text, options[i])) decision |= DECIDES_ALL;
    return decision;
}

static unsigned decisions_in(const char *file)
{
    char line[4096];
    unsigned found = 0;
    FILE *words = open_words(file);
    while (words && fgets(line, sizeof line, words)) found |= decision_of(line);
    if (words) fclose(words);
    return found;
}

/* Everything from which the JVM takes options. */
static unsigned decisions(char *const *words)
{
    static const char in_file[] = "-XX:VMOptionsFile=";
    unsigned found = decision_of(getenv("JDK_JAVA_OPTIONS")) |
                     decision_of(getenv("JAVA_TOOL_OPTIONS")) |
                     decision_of(getenv("_JAVA_OPTIONS"));
    for (; *words; words++) {
        bool named = strncmp(*words, in_file, sizeof in_file - 1) == 0;
        found |= decision_of(*words);
        if (**words == '@') found |= decisions_in(*words + 1);
        if (named) found |= decisions_in(*words + sizeof in_file - 1);
    }
    return found;
}

bool hy_launch_java_is(const hy_launch *job)
{
    const char *name = job->options.command[0], *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, "java") == 0;
}

void hy_launch_java_insert(hy_launch *job, size_t at, char *const *words, size_t count)
{
    char **old = job->options.command;
    size_t length = 0;
    while (old[length]) length++;
    char **longer = hy_launch_grow(NULL, (length + count + 1) * sizeof *longer);
    memcpy(longer, old, at * sizeof *longer);
    memcpy(longer + at, words, count * sizeof *longer);
    memcpy(longer + at + count, old + at, (length - at + 1) * sizeof *longer);
    free(job->inserted);
    job->inserted = job->options.command = longer;
}

void hy_launch_java_quiet(hy_launch *job)
{
    static char allow[] = "--enable-native-access=ALL-UNNAMED";
    static char allow_module[] = "--enable-native-access=ALL-UNNAMED,io.hayate";
    static char allow_too[] = "--enable-native-access=io.hayate"; /* the JVM adds up such options */
    if (!hy_launch_java_is(job)) return;
    bool mpi = job->options.mpi;
    unsigned decided = decisions(job->options.command);
    if (decided && !(mpi && decided == NAMES_MODULES)) return;
    char *words[] = {decided ? allow_too : mpi ? allow_module : allow};
    if (hy_launch_command_find(job) || version_of(job->program.path) < FIRST_TO_WARN) return;
    hy_launch_java_insert(job, 1, words, 1);
}
