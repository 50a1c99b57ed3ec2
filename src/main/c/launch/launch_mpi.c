/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hayate run --mpi and --mpj-arguments. The package mpi comes to the program as a module: those of
 * the module path precede the class path, so one option does wherever the program's own classes
 * come from (-cp, -jar, CLASSPATH, a source file), and also if an mpi.jar of another MPI is among
 * them. A module path of the program stays in force, because this is another one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"

#define DIRECTORY "mpi"
#define MODULES "--upgrade-module-path="

static int refuse_command(const char *option, const char *command, const char *way_out)
{
    fprintf(stderr,
            "hayate run: %s: COMMAND is '%s', and not java: write the command that starts java, "
            "with its options%s\n",
            option, command, way_out);
    return -1;
}

static int refuse_path(const char *path, const char *reason)
{
    fprintf(stderr,
            "hayate run: --mpi: %s: %s; expected hayate-mpi.jar and the jar of the command line, "
            "or a directory with both, here or in --mpi-path\n",
            path, reason);
    return -1;
}

/* A missing element would only be an error of each JVM that names none of these options. */
static int check_path(const char *path)
{
    char element[PATH_MAX];
    for (const char *at = path;; at++) {
        size_t length = strcspn(at, ":");
        snprintf(element, sizeof element, "%.*s", (int)length, at);
        if (access(element, R_OK) != 0) return refuse_path(element, strerror(errno));
        at += length;
        if (!*at) return 0;
    }
}

static int add_modules(hy_launch *job)
{
    static char roots[] = "--add-modules=io.hayate.mpi";
    char beside[PATH_MAX];
    const char *path = job->options.mpi_path;
    if (!path && hy_launch_beside(DIRECTORY, beside) != 0)
        return refuse_path(beside, strerror(errno));
    if (!path) path = beside;
    if (check_path(path) != 0) return -1;
    size_t room = sizeof MODULES + strlen(path);
    char *modules = hy_launch_grow(NULL, room); /* until the end of the program */
    snprintf(modules, room, MODULES "%s", path);
    hy_launch_java_insert(job, 1, (char *const[]){modules, roots}, 2);
    return 0;
}

/* Options of java whose value is the next word. */
static bool takes_next(const char *word)
{
    static const char *const options[] = {"-cp",
                                          "-classpath",
                                          "--class-path",
                                          "-p",
                                          "--module-path",
                                          "--add-modules",
                                          "--add-reads",
                                          "--add-exports",
                                          "--add-opens",
                                          "--upgrade-module-path",
                                          "--source",
                                          "--limit-modules",
                                          "--patch-module",
                                          "--enable-native-access",
                                          "--illegal-native-access"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i]) == 0) return true;
    return false;
}

static bool names_main_next(const char *word)
{
    return strcmp(word, "-jar") == 0 || strcmp(word, "-m") == 0 || strcmp(word, "--module") == 0;
}

/* The index of the word before the arguments of the program; 0: there is none. */
static size_t find_main(char *const *words)
{
    for (size_t at = 1; words[at]; at++) {
        if (words[at][0] == '@') return 0;
        if (strncmp(words[at], "--module=", 9) == 0 || words[at][0] != '-') return at;
        if (names_main_next(words[at])) return words[at + 1] ? at + 1 : 0;
        if (takes_next(words[at]) && words[at + 1]) at++;
    }
    return 0;
}

/* The program gets them, and MPI.Init is told to return the others. */
static int add_arguments(hy_launch *job)
{
    static char drop[] = "-Dhayate.mpj.arguments=true", device[] = "hayate";
    size_t at = find_main(job->options.command);
    if (!at) {
        fputs("hayate run: --mpj-arguments: COMMAND must name the main class, the module or the "
              "jar on the command line itself, not in an @ file\n",
              stderr);
        return -1;
    }
    hy_launch_java_insert(job, at + 1, (char *const[]){job->mpj_rank, job->mpj_size, device}, 3);
    hy_launch_java_insert(job, 1, (char *const[]){drop}, 1);
    return 0;
}

int hy_launch_mpi_add(hy_launch *job)
{
    const hy_launch_options *options = &job->options;
    if (!options->mpi && !options->mpj_arguments) return 0;
    if (!hy_launch_java_is(job))
        return options->mpi ? refuse_command("--mpi", options->command[0],
                                             "; or put hayate-mpi.jar on its class path, and "
                                             "omit --mpi")
                            : refuse_command("--mpj-arguments", options->command[0], "");
    if (options->mpj_arguments && add_arguments(job) != 0) return -1;
    return options->mpi ? add_modules(job) : 0;
}

void hy_launch_mpi_number(hy_launch *job, int index)
{
    snprintf(job->mpj_rank, sizeof job->mpj_rank, "%d", hy_launch_number(job, index));
    snprintf(job->mpj_size, sizeof job->mpj_size, "%d", job->size);
}
