/* SPDX-License-Identifier: Apache-2.0 */
/* Finds COMMAND as execvp() does, and decides how to run it: a task is started by its path. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch.h"

/* The value of confstr(_CS_PATH). */
#define USUAL_PATH "/bin:/usr/bin"
#define SHELL "/bin/sh"

/* 0, or the errno that execve() would set. */
static int launch_command_check(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return EACCES;
    return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

/* An empty element of PATH is the current directory. */
static int check_in(const char *directory, size_t length, const char *name, char *path)
{
    int wanted = snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, directory, length ? "/" : "",
                          name);
    return wanted < PATH_MAX ? launch_command_check(path) : ENAMETOOLONG;
}

static int search(const char *name, char *path)
{
    const char *at = getenv("PATH");
    int worst = ENOENT;
    if (!at) at = USUAL_PATH;
    for (;; at++) {
        size_t length = strcspn(at, ":");
        int error = check_in(at, length, name, path);
        if (!error) return 0;
        if (error == EACCES) worst = EACCES;
        at += length;
        if (!*at) return worst;
    }
}

/* A text file without #! is run by the shell; every other file identifies itself by its first
 * bytes. */
static bool is_for_shell(const char *path)
{
    char start[4] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t length = read(fd, start, sizeof start);
    close(fd);
    bool is_elf = length == (ssize_t)sizeof start && memcmp(start, "\177ELF", sizeof start) == 0;
    return length >= 0 && !is_elf && !(length >= 2 && start[0] == '#' && start[1] == '!');
}

static void give_to_shell(hy_launch *job)
{
    hy_launch_program *program = &job->program;
    size_t count = 0;
    while (job->options.command[count]) count++;
    program->arguments = hy_launch_grow(NULL, (count + 2) * sizeof *program->arguments);
    program->arguments[0] = strdup(SHELL);
    program->arguments[1] = strdup(program->path);
    memcpy(program->arguments + 2, job->options.command + 1, count * sizeof(char *));
    strcpy(program->path, SHELL);
}

int hy_launch_command_find(hy_launch *job)
{
    const char *name = job->options.command[0];
    hy_launch_program *program = &job->program;
    program->arguments = job->options.command;
    int error = strchr(name, '/') ? check_in("", 0, name, program->path)
                                  : search(name, program->path);
    if (!error && is_for_shell(program->path)) give_to_shell(job);
    return error;
}

int hy_launch_command_failed(const hy_launch *job, int error)
{
    const char *command = job->options.command[0];
    bool missing = error == ENOENT || error == ENOTDIR;
    fprintf(stderr, "hayate: cannot run '%s': %s%s\n", command, strerror(error),
            missing && !strchr(command, '/') ? " (searched in PATH)" : "");
    return missing ? HY_EXIT_NOT_FOUND : HY_EXIT_NOT_EXECUTABLE;
}
