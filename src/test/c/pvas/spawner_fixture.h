/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes that spawn tasks (pvas_spawner_program), to see what their end does. */
#ifndef HY_TEST_SPAWNER_FIXTURE_H
#define HY_TEST_SPAWNER_FIXTURE_H

#include "pvas/pvas_fixture.h"

/* Of its spawner's death a task is dead. */
#define WITHIN_MS (SANITIZED ? 5000 : 1000)

typedef struct spawner {
    pid_t pid;
    int to;
    FILE *said;
    pid_t tasks[64];
    int count;
} spawner;

static inline bool is_alive(pid_t pid)
{
    char text[256] = "";
    FILE *file = fopen(text_of("/proc/%d/stat", (int)pid), "re");
    if (!file) return false;
    bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    const char *status = strrchr(text, ')');
    return read && status && status[2] != 'Z' && status[2] != 'X';
}

/* `words`: the program of its tasks, and its arguments. */
static inline void spawner_start(spawner *s, const char *end, int count, const char *const *words)
{
    char path[1200], number[16];
    const char *argv[16] = {path, end, number};
    int in[2], out[2];
    snprintf(path, sizeof path, "%s/pvas/pvas_spawner_program", getenv("HAYATE_TEST_BIN"));
    snprintf(number, sizeof number, "%d", count);
    for (int i = 0; words[i]; i++) argv[3 + i] = words[i];
    assert_int_equal(pipe(in) | pipe(out), 0);
    *s = (spawner){.pid = fork(), .to = in[1]};
    if (s->pid == 0) {
        dup2(in[0], 0), dup2(out[1], 1);
        setpgid(0, 0);
        for (int i = 3; i < 64; i++) close(i);
        execv(path, (char *const *)argv);
        _exit(99);
    }
    close(in[0]), close(out[1]);
    s->said = fdopen(out[0], "r");
}

/* Until it says that it has spawned `count` more, and they that they are ready. They write to the
 * same pipe: "ready" stands once for each of them. */
static inline void spawner_hear(spawner *s, int count)
{
    char line[64];
    for (int ready = 0, spawned = 0; ready < count || !spawned;) {
        if (!fgets(line, sizeof line, s->said)) fail_with("the spawner failed", line);
        if (strcmp(line, "ready\n") == 0) ready++;
        if (sscanf(line, "pid %d", &s->tasks[s->count]) == 1) s->count++;
        spawned |= strcmp(line, "spawned\n") == 0;
    }
    for (int i = 0; i < s->count; i++) assert_true(is_alive(s->tasks[i]));
}

static inline void spawner_go_on(spawner *s)
{
    if (write(s->to, "\n", 1) != 1) fail_with("the spawner", "does not listen");
}

/* It is ending: all tasks end with it. */
static inline void spawner_take_along(spawner *s, const char *end)
{
    int64_t until = now_ms() + WITHIN_MS;
    for (int i = 0; i < s->count; i++)
        while (is_alive(s->tasks[i])) {
            if (now_ms() > until) {
                for (int k = 0; k < s->count; k++) kill(s->tasks[k], SIGKILL);
                kill(s->pid, SIGKILL);
                fail_msg("%s: task %d of %d outlives its spawner", end, i, s->count);
            }
            poll(NULL, 0, 1);
        }
    kill(-s->pid, SIGKILL);                    /* a child of its own */
    while (waitpid(-1, NULL, 0) > 0) continue; /* with the orphans: a subreaper calls */
    close(s->to);
    fclose(s->said);
}

#endif
