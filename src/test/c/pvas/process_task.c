/* SPDX-License-Identifier: Apache-2.0 */
/* What a task has of a process: arguments, descriptors, a directory, children, another program. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "pvas/task.h"

extern char **environ;
static volatile int mine = 1;

static void write_all(const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(1, bytes, count);
        CHECK(written > 0);
        bytes += written, count -= (size_t)written;
    }
}

/* Each with its closing 0; the arguments from the program's own name on. */
static int shows_arguments(int argc, char **argv)
{
    (void)argc;
    for (argv -= 2; *argv; argv++) write_all(*argv, strlen(*argv) + 1);
    return 0;
}

static int shows_environment(int argc, char **argv)
{
    (void)argc, (void)argv;
    for (char **name = environ; *name; name++) write_all(*name, strlen(*name) + 1);
    return 0;
}

/* "NUMBER:INODE " of every open descriptor. */
static int shows_descriptors(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct stat about;
    for (int fd = 0; fd < 4096; fd++)
        if (fstat(fd, &about) == 0) SAY("%d:%lu ", fd, (unsigned long)about.st_ino);
    return 0;
}

static int shows_directory(int argc, char **argv)
{
    (void)argc, (void)argv;
    char name[4096];
    CHECK(getcwd(name, sizeof name));
    SAY("%s\n", name);
    return 0;
}

static int shows_itself(int argc, char **argv)
{
    (void)argc, (void)argv;
    char name[4096] = "", again[4096] = "", shorter[5] = "", task_name[16] = "";
    ssize_t length = readlink("/proc/self/exe", name, sizeof name);
    CHECK(length > 0);
    CHECK(readlinkat(AT_FDCWD, "/proc/self/exe", again, sizeof again) == length);
    CHECK(memcmp(name, again, (size_t)length) == 0);
    CHECK(readlink("/proc/self/exe", shorter, 4) == 4 && memcmp(shorter, name, 4) == 0);
    CHECK(shorter[4] == '\0');
    CHECK_ERRNO(syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", name, 0), EINVAL);
    CHECK_ERRNO(readlink("/proc/self/nothing", shorter, 4), ENOENT);
    CHECK_ERRNO(readlink("/", shorter, 4), EINVAL);
    CHECK(readlink("/proc/self/cwd", again, sizeof again) > 0);
    CHECK(prctl(PR_GET_NAME, task_name) == 0);
    SAY("%.*s|%s|%d|%d\n", (int)length, name, task_name, (int)getpid(), (int)getpgrp());
    return 0;
}

static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    return code_of(status);
}

/* The child is a copy: what it writes and maps is its own. */
static int forks(int argc, char **argv)
{
    (void)argc, (void)argv;
    char *memory = malloc(1 << 20);
    memset(memory, 1, 1 << 20);
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            mine = 2;
            memset(memory, 2, 1 << 20);
            for (int k = 0; k < 50; k++) free(memset(malloc(300000), k, 300000));
            char *mapped = mmap(NULL, 1 << 22, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
            CHECK(mapped != MAP_FAILED);
            mapped[1 << 21] = 1;
            _exit(40 + i);
        }
        CHECK(wait_for(pid) == 40 + i && mine == 1);
        for (int k = 0; k < 1 << 20; k += 4096) CHECK(memory[k] == 1);
    }
    return 0;
}

static int forks_to_exec(int argc, char **argv)
{
    (void)argc, (void)argv;
    for (volatile int i = 0; i < 5; i++) {
        int ends[2];
        char text[16] = "";
        CHECK(pipe(ends) == 0);
        pid_t pid = i % 2 ? fork() : vfork();
        if (pid == 0) {
            dup2(ends[1], 1);
            execl("/bin/sh", "sh", "-c", "printf 'from a child'; exit 7", (char *)NULL);
            _exit(99);
        }
        close(ends[1]);
        CHECK(wait_for(pid) == 7 && read(ends[0], text, sizeof text) == 12);
        CHECK(strncmp(text, "from a child", 12) == 0);
        close(ends[0]);
    }
    return 0;
}

static void *spawn_often(void *argument)
{
    char *const words[] = {"sh", "-c", "x=$(echo 1); exit $((x + 10))", NULL};
    for (int i = 0; i < 5; i++) {
        pid_t pid = 0;
        CHECK(posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ) == 0);
        CHECK(wait_for(pid) == 11);
    }
    return argument;
}

static int spawns(int argc, char **argv)
{
    (void)argc, (void)argv;
    pthread_t threads[3];
    pid_t pid = 0;
    char *const words[] = {"nothing", NULL};
    CHECK(posix_spawn(&pid, "/no/such/program", NULL, NULL, words, environ) == ENOENT);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, spawn_often, NULL) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}

static int uses_shells(int argc, char **argv)
{
    (void)argc, (void)argv;
    char line[32] = "";
    CHECK(code_of(system("exit 5")) == 5);
    CHECK(code_of(system("kill -9 $$")) == 128 + 9);
    FILE *pipe = popen("echo 1 | tr 1 2", "r");
    CHECK(pipe && fgets(line, sizeof line, pipe) && strcmp(line, "2\n") == 0);
    CHECK(pclose(pipe) == 0);
    return 0;
}

/* Becomes another program: of this file too, then as an ordinary process. */
static int becomes(int argc, char **argv)
{
    CHECK(argc > 0);
    execv(argv[0], argv);
    return 99;
}

static void *become_in_a_thread(void *argument)
{
    char **argv = argument;
    execv(argv[0], argv);
    _exit(99);
}

static int thread_becomes(int argc, char **argv)
{
    pthread_t thread;
    CHECK(argc > 0 && pthread_create(&thread, NULL, become_in_a_thread, argv) == 0);
    for (;;) pause();
}

/* Leaves a child behind that has no more of it than its descriptors. */
static int orphans(int argc, char **argv)
{
    (void)argc, (void)argv;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid > 0) return 0;
    await_word();
    SAY("still there\n");
    _exit(0);
}

static int shows_limits(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct rlimit files, core;
    CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0 && getrlimit(RLIMIT_CORE, &core) == 0);
    SAY("%lu %lu\n", (unsigned long)files.rlim_cur, (unsigned long)core.rlim_cur);
    return 0;
}

/* What a process has of its own and threads share. */
static int changes_all(int argc, char **argv)
{
    (void)argc, (void)argv;
    CHECK(chdir("/") == 0);
    umask(0777);
    CHECK(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){12345, 12345}) == 0);
    for (int fd = 0; fd < 64; fd++) close(fd);
    return 0;
}

int main(int argc, char **argv)
{
    static const task_action actions[] = {{"arguments", shows_arguments},
                                          {"environment", shows_environment},
                                          {"descriptors", shows_descriptors},
                                          {"directory", shows_directory},
                                          {"self", shows_itself},
                                          {"fork", forks},
                                          {"fork-exec", forks_to_exec},
                                          {"spawn", spawns},
                                          {"system", uses_shells},
                                          {"exec", becomes},
                                          {"thread-exec", thread_becomes},
                                          {"orphan", orphans},
                                          {"limits", shows_limits},
                                          {"change", changes_all},
                                          {NULL, NULL}};
    return task_run(actions, argc, argv);
}
