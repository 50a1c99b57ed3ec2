/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the named file, follows the #! lines of scripts up to HY_SCRIPT_DEPTH, and opens the
 * interpreter that the ELF file names.
 */
#include "pvas/program.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hayate/hayate.h>

/* Not in all headers yet. */
#define NR_FACCESSAT2 439

/* The file that is being opened, for error texts: the program, or what a script or a program
 * names. */
typedef struct subject {
    const char *path;
    const char *of; /* the file that the caller named, if it is another one; else NULL */
} subject;

/* `result` is that of a system call. */
HY_BARE_TOO static int fail_with(long result, const subject *what, hy_problem *problem)
{
    return hy_problem_note_error(problem, result, "cannot run ", what->of ? what->of : what->path,
                                 what->of ? ": its interpreter " : NULL,
                                 what->of ? what->path : NULL);
}

/* A task lives in the address space of its spawner, so it cannot have more rights. */
HY_BARE_TOO static int check_rights(int fd, const struct stat *about, const char *path,
                                    hy_problem *problem)
{
    bool set_group = (about->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    const char *what = NULL;
    if ((about->st_mode & S_ISUID) || set_group) what = "it is setuid or setgid";
    else if (hy_sys4(SYS_fgetxattr, (uint64_t)fd, hy_address("security.capability"), 0, 0) > 0)
        what = "it has file capabilities (getcap)";
    if (!what) return HAYATE_OK;
    return hy_problem_note(problem, HAYATE_ERR_UNSUPPORTED, path, " cannot be a task: ", what,
                           NULL);
}

/* Whether exec would permit it to the caller. Uses the real ids if the kernel or a sandbox does not
 * support the question for the effective ones. */
HY_BARE_TOO static long check_access(const char *path)
{
    long result = hy_sys4(NR_FACCESSAT2, (uint64_t)AT_FDCWD, hy_address(path), X_OK, AT_EACCESS);
    if (result != -ENOSYS && result != -EPERM) return result;
    return hy_sys2(SYS_access, hy_address(path), X_OK);
}

HY_BARE_TOO static int check_file(int fd, const subject *what, hy_problem *problem)
{
    struct stat about;
    long result = hy_sys2(SYS_fstat, (uint64_t)fd, hy_address(&about));
    if (!result && S_ISDIR(about.st_mode)) result = -EISDIR;
    if (!result && !S_ISREG(about.st_mode)) result = -EACCES;
    if (!result) result = check_access(what->path);
    if (result) return fail_with(result, what, problem);
    return check_rights(fd, &about, what->path, problem);
}

HY_BARE_TOO static void close_one(int *fd)
{
    if (*fd >= 0) hy_sys2(SYS_close, (uint64_t)*fd, 0);
    *fd = -1;
}

/* *fd is close-on-exec. O_NONBLOCK: opening a FIFO must not block. */
HY_BARE_TOO static int open_executable(const subject *what, int *fd, hy_problem *problem)
{
    long result = hy_sys4(SYS_openat, (uint64_t)AT_FDCWD, hy_address(what->path),
                          O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
    if (hy_sys_failed(result)) return fail_with(result, what, problem);
    *fd = (int)result;
    int code = check_file(*fd, what, problem);
    if (code) close_one(fd);
    return code;
}

HY_BARE_TOO static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

HY_BARE_TOO static char *skip_blanks(char *at)
{
    while (is_blank(*at)) at++;
    return at;
}

/* "#! INTERPRETER [ARGUMENT]": splits the line in place as the kernel does, into one argument at
 * most. */
HY_BARE_TOO static int split_line(char *line, const char *path, char **interpreter, char **argument,
                                  hy_problem *problem)
{
    char *at = skip_blanks(line + 2), *end;
    *interpreter = at;
    *argument = NULL;
    if (*at == '\0')
        return hy_problem_note(problem, HAYATE_ERR_UNSUPPORTED, path,
                               " names no interpreter after its #!", NULL, NULL);
    while (*at && !is_blank(*at)) at++;
    if (*at == '\0') return HAYATE_OK;
    *at++ = '\0';
    at = skip_blanks(at);
    for (end = at + hy_bare_length(at); end > at && is_blank(end[-1]); end--) {}
    *end = '\0';
    if (*at) *argument = at;
    return HAYATE_OK;
}

/* Reads the first line of a script into `line`; false: the file is not a script. */
HY_BARE_TOO static bool read_line(int fd, char *line)
{
    long count = hy_sys4(SYS_pread64, (uint64_t)fd, hy_address(line), HY_SCRIPT_LINE - 1, 0);
    if (count < 2 || line[0] != '#' || line[1] != '!') return false;
    line[count] = '\0';
    while (*line && *line != '\n') line++;
    *line = '\0';
    return true;
}

/* Puts interpreter and argument, or only the interpreter, in front of the other words. */
HY_BARE_TOO static void add_words(hy_program *program, const char *interpreter,
                                  const char *argument)
{
    int more = argument ? 2 : 1;
    for (int i = program->word_count - 1; i >= 0; i--) program->words[i + more] = program->words[i];
    program->words[0] = interpreter;
    if (argument) program->words[1] = argument;
    program->word_count += more;
}

HY_BARE_TOO static int remember_path(hy_program *program, const char *path, bool moves,
                                     hy_problem *problem)
{
    size_t used = 0, length = hy_bare_length(path);
    if (moves && path[0] != '/') {
        long result = hy_sys2(SYS_getcwd, hy_address(program->path), sizeof program->path - 1);
        if (!hy_sys_failed(result) && program->path[0] != '/') result = -ENOENT; /* unreachable */
        if (hy_sys_failed(result))
            return hy_problem_note_error(problem, result, "cannot determine the current directory",
                                         NULL, NULL, NULL);
        used = hy_bare_length(program->path);
        program->path[used++] = '/';
    }
    if (length >= sizeof program->path - used)
        return fail_with(-ENAMETOOLONG, &(subject){path, NULL}, problem);
    hy_bare_copy_too(program->path + used, path, length + 1);
    return HAYATE_OK;
}

/* Opens the file, or what its #! line names instead, until a file is not a script. */
HY_BARE_TOO static int open_program(hy_program *program, const char *path, hy_problem *problem)
{
    subject what = {path, NULL};
    for (int depth = 0; depth <= HY_SCRIPT_DEPTH; depth++) {
        int code = open_executable(&what, &program->fd, problem);
        if (code) return code;
        char last[HY_SCRIPT_LINE], *interpreter, *argument;
        char *line = depth < HY_SCRIPT_DEPTH ? program->lines[depth] : last;
        if (!read_line(program->fd, line)) return HAYATE_OK;
        if (depth == HY_SCRIPT_DEPTH) break;
        code = split_line(line, what.path, &interpreter, &argument, problem);
        if (code) return code;
        add_words(program, interpreter, argument);
        close_one(&program->fd);
        what = (subject){interpreter, path};
    }
    return fail_with(-ELOOP, &what, problem);
}

HY_BARE_TOO static int open_interpreter(hy_program *program, const char *path, uint64_t room,
                                        hy_problem *problem)
{
    const char *name = program->elf.interpreter;
    if (!name[0]) return HAYATE_OK;
    int code = open_executable(&(subject){name, path}, &program->interpreter_fd, problem);
    if (code) return code;
    uint64_t taken = program->elf.high - program->elf.low + program->elf.alignment;
    return hy_elf_read(program->interpreter_fd, name, room - taken, &program->interpreter, problem);
}

HY_BARE_TOO int hy_program_open(const char *path, uint64_t room, bool moves, hy_program *program,
                                hy_problem *problem)
{
    program->fd = program->interpreter_fd = -1;
    program->word_count = 0;
    int code = remember_path(program, path, moves, problem);
    if (!code) code = open_program(program, path, problem);
    if (!code)
        code = hy_elf_read(program->fd, program->word_count ? program->words[0] : path, room,
                           &program->elf, problem);
    if (!code) code = open_interpreter(program, path, room, problem);
    if (code) hy_program_close(program);
    return code;
}

HY_BARE_TOO void hy_program_close(hy_program *program)
{
    close_one(&program->fd);
    close_one(&program->interpreter_fd);
}

#endif
