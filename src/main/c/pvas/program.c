/* SPDX-License-Identifier: Apache-2.0 */
#include "pvas/program.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/status.h"

/* What is being opened, for messages: a file, or what a script or a program names. */
typedef struct subject {
    const char *path;
    const char *of; /* the file that the caller named, if that is another; else NULL */
} subject;

static int fail_with(int error, const subject *what)
{
    errno = error;
    if (!what->of) return hy_fail_errno("cannot run %s", what->path);
    return hy_fail_errno("cannot run %s: its interpreter %s", what->of, what->path);
}

/* A task lives in the address space of its spawner: it cannot have more rights. */
static int check_rights(int fd, const struct stat *about, const char *path)
{
    bool set_group = (about->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    if ((about->st_mode & S_ISUID) || set_group)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s cannot be a task: it is setuid or setgid", path);
    if (fgetxattr(fd, "security.capability", NULL, 0) > 0)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "%s cannot be a task: it has file capabilities (getcap)", path);
    return HAYATE_OK;
}

static int check_file(int fd, const subject *what)
{
    struct stat about;
    if (fstat(fd, &about) != 0) return fail_with(errno, what);
    if (S_ISDIR(about.st_mode)) return fail_with(EISDIR, what);
    if (!S_ISREG(about.st_mode)) return fail_with(EACCES, what);
    if (faccessat(AT_FDCWD, what->path, X_OK, AT_EACCESS) != 0) return fail_with(errno, what);
    return check_rights(fd, &about, what->path);
}

/* The descriptor, close-on-exec; or an error. O_NONBLOCK: a FIFO must not make it wait. */
static int open_executable(const subject *what)
{
    int fd = open(what->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return fail_with(errno, what);
    int code = check_file(fd, what);
    if (code == HAYATE_OK) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return code;
}

static char *skip_blanks(char *at)
{
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* "#! INTERPRETER [ARGUMENT]": splits in place as the kernel does, one argument at most. */
static int split_line(char *line, const char *path, char **interpreter, char **argument)
{
    char *at = skip_blanks(line + 2), *end;
    *interpreter = at;
    *argument = NULL;
    if (*at == '\0')
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s names no interpreter behind its #!", path);
    while (*at && *at != ' ' && *at != '\t') at++;
    if (*at == '\0') return HAYATE_OK;
    *at++ = '\0';
    at = skip_blanks(at);
    for (end = at + strlen(at); end > at && (end[-1] == ' ' || end[-1] == '\t'); end--) {}
    *end = '\0';
    if (*at) *argument = at;
    return HAYATE_OK;
}

/* The first line of a script into `line`; false: it is none. */
static bool read_line(int fd, char *line)
{
    ssize_t count = pread(fd, line, HY_SCRIPT_LINE - 1, 0);
    if (count < 2 || line[0] != '#' || line[1] != '!') return false;
    line[count] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Puts two words in front of the others: interpreter and argument, or only the former. */
static void add_words(hy_program *program, const char *interpreter, const char *argument)
{
    int more = argument ? 2 : 1;
    memmove(program->words + more, program->words,
            (size_t)program->word_count * sizeof *program->words);
    program->words[0] = interpreter;
    if (argument) program->words[1] = argument;
    program->word_count += more;
}

static int remember_path(hy_program *program, const char *path, bool moves)
{
    size_t used = 0, length = strlen(path);
    if (moves && path[0] != '/') {
        if (!getcwd(program->path, sizeof program->path - 1))
            return hy_fail_errno("cannot tell the current directory");
        used = strlen(program->path);
        program->path[used++] = '/';
    }
    if (length >= sizeof program->path - used)
        return fail_with(ENAMETOOLONG, &(subject){path, NULL});
    memcpy(program->path + used, path, length + 1);
    return HAYATE_OK;
}

/* Opens the file, and what its #! names instead of it, until it is no script. */
static int open_program(hy_program *program, const char *path)
{
    subject what = {path, NULL};
    for (int depth = 0; depth <= HY_SCRIPT_DEPTH; depth++) {
        program->fd = open_executable(&what);
        if (program->fd < 0) return program->fd;
        char last[HY_SCRIPT_LINE], *interpreter, *argument;
        char *line = depth < HY_SCRIPT_DEPTH ? program->lines[depth] : last;
        if (!read_line(program->fd, line)) return HAYATE_OK;
        if (depth == HY_SCRIPT_DEPTH) break;
        int code = split_line(line, what.path, &interpreter, &argument);
        if (code) return code;
        add_words(program, interpreter, argument);
        close(program->fd);
        what = (subject){interpreter, path};
    }
    return fail_with(ELOOP, &what);
}

static int open_interpreter(hy_program *program, const char *path, uint64_t room)
{
    const char *name = program->elf.interpreter;
    if (!name[0]) return HAYATE_OK;
    program->interpreter_fd = open_executable(&(subject){name, path});
    if (program->interpreter_fd < 0) return program->interpreter_fd;
    uint64_t taken = program->elf.high - program->elf.low + program->elf.alignment;
    return hy_elf_read(program->interpreter_fd, name, room - taken, &program->interpreter);
}

int hy_program_open(const char *path, uint64_t room, bool moves, hy_program *program)
{
    program->fd = program->interpreter_fd = -1;
    program->word_count = 0;
    int code = remember_path(program, path, moves);
    if (!code) code = open_program(program, path);
    if (!code)
        code = hy_elf_read(program->fd, program->word_count ? program->words[0] : path, room,
                           &program->elf);
    if (!code) code = open_interpreter(program, path, room);
    if (code) {
        int error = errno;
        hy_program_close(program);
        errno = error;
    }
    return code;
}

void hy_program_close(hy_program *program)
{
    if (program->fd >= 0) close(program->fd);
    if (program->interpreter_fd >= 0) close(program->interpreter_fd);
    program->fd = program->interpreter_fd = -1;
}
