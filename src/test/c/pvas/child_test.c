/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a new process before its program begins, where the kernel's help is refused. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "pvas/pvas_fixture.h"

/* As sandboxes do that cannot look at what its arguments are. */
static void refuse_clone3(int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = COUNT(code), .filter = code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(98);
}

/* What the task of another spawner says of its signals. */
static void run_where_clone3_fails(int error, char *said, size_t bytes)
{
    int out[2], status;
    size_t used = 0;
    ssize_t got;
    const char *path = text_of("%s/pvas/pvas_spawner_program", getenv("HAYATE_TEST_BIN"));
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], 1);
        refuse_clone3(error);
        execl(path, path, "wait", "1", program("dynamic/signal"), "show", (char *)NULL);
        _exit(99);
    }
    close(out[1]);
    /* Two lines of the spawner and two of the task, in whatever order. */
    for (int lines = 0; lines < 4 && (got = read(out[0], said + used, bytes - 1 - used)) > 0;) {
        for (ssize_t i = 0; i < got; i++) lines += said[used + (size_t)i] == '\n';
        used += (size_t)got;
    }
    said[used] = '\0';
    close(out[0]);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

TEST(should_have_default_signals_where_clone3_is_refused)
{
    static const int errors[] = {ENOSYS, EPERM};
    char said[4096];
    new_space(1, GIGA); /* or skip */
    for (size_t i = 0; i < COUNT(errors); i++) {
        run_where_clone3_fails(errors[i], said, sizeof said);
        const char *actions = strstr(said, "actions ");
        if (!actions || actions[strlen("actions ") + SIGUSR1 - 1] != 'd') fail_with("said", said);
    }
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
