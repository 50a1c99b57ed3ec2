/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `hayate run`: starts the ranks of a job on this node, watches them, and ends when they have
 * ended. It has one thread and one poll() loop; every read is non-blocking, so that a stale
 * readiness report is harmless.
 *
 * Each rank is a child in a process group of its own. A child that has ended stays a zombie until
 * the job ends, so its pid, which is also the number of its group, cannot be reused. With --pvas
 * the children are tasks of the launcher's own address space; nothing else differs. A guard process
 * holds a pipe whose other end only the launcher has: when the launcher ends for any reason, the
 * guard kills the groups.
 */
#ifndef HY_LAUNCH_LAUNCH_H
#define HY_LAUNCH_LAUNCH_H

#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "boot/control.h"

#define HY_EXIT_USAGE 2
#define HY_EXIT_NOT_EXECUTABLE 126
#define HY_EXIT_NOT_FOUND 127

/* Signals that the launcher ignores, but its ranks do not. */
#define HY_LAUNCH_IGNORED 3

/* HY_BIND_SHARE: each rank gets its share of all CPUs. */
enum { HY_BIND_SHARE, HY_BIND_NONE, HY_BIND_CORE, HY_BIND_DOMAIN, HY_BIND_SOCKET, HY_BIND_LIST };

enum { HY_OUTPUT_AUTO, HY_OUTPUT_DIRECT, HY_OUTPUT_LINE, HY_OUTPUT_TAG };

typedef struct hy_launch_options {
    int ranks;
    int bind;
    const char *bind_list; /* with HY_BIND_LIST, else NULL */
    int cpus_per_rank;     /* 0: not given */
    bool verbose;
    int output;
    bool pvas;
    bool blacs;               /* preload libhayate-blacs.so */
    bool mpi;                 /* add the package mpi to the Java program */
    const char *mpi_path;     /* the jars for it; NULL: next to the launcher */
    bool mpj_arguments;       /* add what programs for MPJ Express index */
    bool delegate;            /* start a delegatee */
    int delegate_core;        /* the CPU for it alone; -1: any */
    const char *store;        /* where the ranks of several nodes meet; NULL: at this launcher */
    const char *secret;       /* the file with the secret for it; NULL: as the environment says */
    int nodes, node;          /* with store: how many, and the number of this one; 0, -1: unset */
    uint64_t partition_bytes; /* per task; 0: chosen by the number of ranks */
    bool help;
    uint64_t heap_bytes;      /* 0: default */
    uint64_t grace_ns;        /* between the first failure and SIGTERM */
    uint64_t stop_timeout_ns; /* 0: no limit */
    uint64_t linger_ns;       /* between looks for ranks that do nothing; 0: none */
    bool survive;             /* the job goes on when a rank has failed */
    char **command;           /* NULL-terminated, part of argv */
} hy_launch_options;

/* Lines of a rank on their way to one of the launcher's own descriptors. */
typedef struct hy_launch_stream {
    int fd; /* read end of the pipe, or -1 */
    char *data;
    size_t used, room;
    uint64_t since; /* the last read */
} hy_launch_stream;

typedef struct hy_launch_sink {
    int fd;
    bool plain; /* a regular file: it takes any amount at once */
    bool terminal;
    int open; /* whose line has begun in the output: twice the rank, plus 1 for stderr; or -1 */
    char *data;
    size_t used, room;
} hy_launch_sink;

typedef struct hy_launch_rank {
    pid_t pid;     /* the child, which leads the rank's process group; 0: not started */
    int pid_fd;    /* its pidfd; -1 if it has ended or the kernel has no pidfds */
    bool ended;    /* whether the child has ended */
    pid_t joined;  /* the process that sent the hello, which is the child or a descendant; 0:
                    * none yet */
    int joined_fd; /* its pidfd if it is not the child, else -1 */
    bool joined_ended, joined_outside; /* outside: it is not in the rank's process group */
    int socket;                        /* the launcher's end of the boot socket, or -1 */
    bool bye, failed;
    bool aborts;    /* it ends, and is to end the job */
    uint64_t doubt; /* when the rank vanished without a bye and without a status; 0: it did not */
    uint64_t stopped_since;
    uint64_t used; /* of processors, at the last look of launch_idle.c */
    int idle_looks;
    bool looked, bye_looked;
    hy_launch_stream streams[2]; /* stdout, stderr */
    void *partition; /* with --pvas, the task's partition in the launcher's address space; else
                      * NULL */
    uint64_t partition_bytes;
} hy_launch_rank;

/* The descriptors that a rank starts with. They belong to the launcher, which closes them once the
 * rank has them. */
typedef struct hy_launch_ends {
    int socket;
    int in;     /* -1: inherited */
    int out[2]; /* -1: inherited */
} hy_launch_ends;

/* The file of COMMAND. */
typedef struct hy_launch_program {
    char path[PATH_MAX];
    char **arguments; /* NULL-terminated */
} hy_launch_program;

typedef enum hy_launch_phase {
    HY_RUNNING,
    HY_FAILING, /* a rank failed; the others may still notice it; SIGTERM at the deadline */
    HY_ENDING,  /* SIGTERM was sent; SIGKILL at the deadline */
    HY_KILLED   /* SIGKILL was sent, and is repeated at every deadline */
} hy_launch_phase;

/* The process that communicates with other nodes for all ranks. Like a child that is a rank, it
 * leads a process group and stays a zombie until the job ends. */
typedef struct hy_launch_delegatee {
    pid_t pid;  /* 0: the job has none */
    int pid_fd; /* -1: it has ended, or the kernel has no pidfds */
    int socket; /* boot/wire.h; -1: none */
    bool ended;
    bool told; /* that it is to end: its end is no failure */
    uint64_t stopped_since;
} hy_launch_delegatee;

typedef struct hy_launch hy_launch;
typedef void hy_launch_handler(hy_launch *job, int index);

typedef struct hy_launch_source {
    hy_launch_handler *handler;
    int index;
} hy_launch_source;

struct hy_launch {
    hy_launch_options options;
    hy_launch_rank *ranks; /* of this node, in the order of their numbers */
    int first, size;       /* the number of ranks[0] in the job; the ranks of the job */
    hy_launch_delegatee delegatee;
    int alive;      /* ranks that have not ended */
    int quit_first; /* 1 + the first that exited with status 0 without a bye; 0: none has */
    hy_launch_phase phase;
    uint64_t deadline, next_look;
    int exit_code;
    int first_code;  /* with --survive, of the first rank that failed; 0: none has */
    bool survived;   /* a rank has ended with status 0 */
    int output_code; /* exit code if no worse one is set, because output was lost */
    hy_control *control;
    int segment_fd;
    uint64_t segment_bytes;
    int space;            /* number of the space of the tasks; -1: none */
    uint8_t space_id[16]; /* hy_task.space; zeros before the first task */
    char *flight;         /* the directory of the job's flight recorders; NULL: off */
    uint64_t looked_idle; /* launch_idle.c */
    bool told_lingering, told_quiet;
    bool told_apart;                 /* the warning that ranks are processes in spite of --pvas was
                                      * printed */
    hy_launch_program program;       /* with --pvas */
    char **inserted;                 /* memory of options.command, after an insertion */
    char mpj_rank[12], mpj_size[12]; /* with --mpj-arguments: words of the command */
    pid_t pid;
    int boot_fd; /* the number of the boot socket in every rank; in the launcher only a
                  * placeholder */
    int null_fd;
    int exec_read, exec_write; /* reports of failures between fork and exec */
    pid_t guard;
    int guard_fd, guard_pidfd;
    int signal_fd;
    sigset_t signals, inherited_mask;
    struct sigaction inherited[HY_LAUNCH_IGNORED];
    struct rlimit inherited_files;
    uint32_t forwarded; /* set of signal numbers: a rank that ends by one of them needs no
                         * explanation */
    int interrupts;
    int end_signal;    /* the last signal that asked for the end; 0: none */
    bool hurried;      /* no rank runs, and output is not to wait for its reader for long */
    cpu_set_t cpus;    /* that ranks may use */
    cpu_set_t *shares; /* of each rank; NULL: ranks are not bound */
    hy_launch_sink sinks[2];
    bool one_pipe;   /* stdout and stderr are the same file */
    int terminal_fd; /* the launcher's terminal while it is copied to rank 0, else -1 */
    int pump_fd;     /* write end of rank 0's stdin, or -1 */
    size_t pump_used;
    char pump_data[4096];
    struct pollfd *polls;
    hy_launch_source *sources;
    int watched, watch_room;
};

/* The number in the job of ranks[index]; users and ranks know only these numbers. */
static inline int hy_launch_number(const hy_launch *job, int index)
{
    return job->first + index;
}

/* The job has failed: it ends at this time (0: at once), first by SIGTERM, later by SIGKILL. */
static inline void hy_launch_end(hy_launch *job, int exit_code, uint64_t deadline)
{
    job->exit_code = exit_code;
    job->phase = HY_FAILING;
    job->deadline = deadline;
}

/* launch_main.c: maps the segment as far as the launcher needs it. 0, or -1 after a message. */
int hy_launch_map(hy_launch *job);

/* Tells on stderr what is wrong with the command line, and returns -1. */
int hy_launch_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* launch_options.c. Returns 0, or -1 after it has printed on stderr what was wrong. Sets the
 * variables of -x in the environment. */
int hy_launch_parse(int argc, char **argv, hy_launch_options *options);
int hy_launch_usage(void); /* prints the usage; returns the exit code */

/* launch_store.c */
/* Checks the options, and tells the ranks of the store. 0, or -1 after a message. */
int hy_launch_store_decide(const hy_launch_options *options);
void hy_launch_store_number(hy_launch *job); /* the numbers of this node's ranks */

/* launch_poll.c */
void hy_launch_watch(hy_launch *job, int fd, short events, hy_launch_handler *handler, int index);
void hy_launch_poll(hy_launch *job, int timeout_ms);
void *hy_launch_grow(void *memory, size_t bytes); /* realloc that ends the launcher on failure */

/* launch_blacs.c */
/* The file of that name next to the launcher. 0, or -1 with errno, and `path` is the name. */
int hy_launch_beside(const char *name, char path[PATH_MAX]);
/* Puts libhayate-blacs.so into the environment of the ranks; -1 after a message. */
int hy_launch_preload_blacs(void);

/* launch_delegatee_start.c. Both: 0, or -1 after a message. */
int hy_launch_delegatee_decide(hy_launch_options *options); /* by HAYATE_DELEGATE */
int hy_launch_delegatee_open(hy_launch *job); /* starts it; takes its segment and its numbers */

/* launch_delegatee.c; without a delegatee, all of them do nothing. */
void hy_launch_delegatee_watch(hy_launch *job);
void hy_launch_delegatee_look(hy_launch *job, uint64_t now);
bool hy_launch_delegatee_lives(const hy_launch *job);
void hy_launch_delegatee_signal(const hy_launch *job, int signal);
void hy_launch_delegatee_fail(hy_launch *job);  /* tells it that the job has failed */
void hy_launch_delegatee_close(hy_launch *job); /* when no rank lives: waits for its end */

/* launch_spawn.c: starts all ranks. A failure is reported, and ends the job. */
void hy_launch_spawn(hy_launch *job);
void hy_launch_spawn_watch(hy_launch *job);
void hy_launch_spawn_failed(hy_launch *job, int index); /* reads the reports of children */

/* launch_bind.c */
int hy_launch_bind_choose(hy_launch *job); /* -1 after a message */
void hy_launch_bind_tell(const hy_launch *job);
/* Binds the calling thread as a rank is to be bound. 0, or -1 with errno. */
int hy_launch_bind(const hy_launch *job, int index);
void hy_launch_bind_undo(const hy_launch *job);

/* launch_command.c: searches for COMMAND as execvp() does. 0, or errno. */
int hy_launch_command_find(hy_launch *job);
/* Reports why COMMAND could not be run, and returns the exit code. */
int hy_launch_command_failed(const hy_launch *job, int error);

/* launch_java.c */
bool hy_launch_java_is(const hy_launch *job); /* whether COMMAND is java, and not a script */
/* Inserts words into COMMAND, before its word `at`. */
void hy_launch_java_insert(hy_launch *job, size_t at, char *const *words, size_t count);
/* Lets a JVM that would warn of native code load the library without a word. */
void hy_launch_java_quiet(hy_launch *job);

/* launch_mpi.c: what --mpi and --mpj-arguments add to COMMAND. -1 after a message. */
int hy_launch_mpi_add(hy_launch *job);
void hy_launch_mpi_number(hy_launch *job, int index); /* before that rank starts */

/* launch_task.c: ranks as tasks (--pvas). */
int hy_launch_tasks_open(hy_launch *job);
/* 0, or the exit code of the launcher after the error was printed on stderr. */
int hy_launch_task_start(hy_launch *job, int index, const hy_launch_ends *ends);
void hy_launch_task_advise(const hy_launch *job);     /* tells why a rank may have failed as a
                                                       * task */
void hy_launch_task_apart(hy_launch *job, int index); /* warns once that a rank is not a task,
                                                       * and why */
void hy_launch_tasks_close(hy_launch *job);

/* launch_flight.c: makes the directory for the flight recorders and tells the ranks of it, if
 * HAYATE_FLIGHT asks for them; 0, or -1 after a message. At the end, removes it if the job has
 * succeeded, or tells where it is. */
int hy_launch_flight_open(hy_launch *job);
void hy_launch_flight_close(hy_launch *job);

/* launch_guard.c */
enum { HY_GUARD_GROUP = 1, HY_GUARD_PROCESS = 2 };
int hy_launch_guard_start(hy_launch *job);
void hy_launch_guard_add(int guard_fd, int kind, pid_t pid);
void hy_launch_guard_watch(hy_launch *job);
void hy_launch_guard_stop(hy_launch *job);

/* launch_boot.c: the launcher's side of boot/wire.h. */
void hy_launch_boot_watch(hy_launch *job);
void hy_launch_boot_read(hy_launch *job, int rank);

/* launch_ranks.c: the start and end of ranks. */
void hy_launch_ranks_watch(hy_launch *job);
void hy_launch_ranks_advance(hy_launch *job); /* does what is due by now */
int hy_launch_ranks_timeout(const hy_launch *job);
void hy_launch_ranks_close(hy_launch *job); /* all have ended: with which exit code, if some failed
                                             * and the others went on */

/* launch_signals.c */
int hy_launch_signals_open(hy_launch *job);
void hy_launch_signals_watch(hy_launch *job);
/* Sets the mask and the actions that ranks start with, in a child before exec, or in the launcher
 * itself while it starts a task; hy_launch_signals_regain() then restores the launcher's own. */
void hy_launch_signals_restore(const hy_launch *job);
void hy_launch_signals_regain(const hy_launch *job);
void hy_launch_signal(const hy_launch_rank *rank, int signal);
void hy_launch_signal_all(hy_launch *job, int signal);

/* launch_stopped.c: whether a process is stopped, and has been at all looks for `timeout`. */
bool hy_launch_is_stopped_for(pid_t pid, uint64_t *since, uint64_t now, uint64_t timeout);

/* launch_idle.c: names a rank that has left the job and does nothing, but does not end. */
void hy_launch_idle_look(hy_launch *job, uint64_t now);

/* launch_stdio.c */
void hy_launch_stdio_open(hy_launch *job);
/* Opens the pipes of a rank, unless it inherits the descriptors. 0, or -1 with errno. */
int hy_launch_stdio_pipes(hy_launch *job, int index, hy_launch_ends *ends);
void hy_launch_stdio_watch(hy_launch *job);
uint64_t hy_launch_stdio_due(const hy_launch *job); /* when hy_launch_stdio_advance() has work */
void hy_launch_stdio_advance(hy_launch *job);
void hy_launch_stdio_catch_up(hy_launch *job, int rank);
void hy_launch_stdio_finish(hy_launch *job);          /* reads what is left in the pipes */
size_t hy_launch_stdio_pending(const hy_launch *job); /* bytes to be written */

/* launch_terminal.c: the terminal belongs to the launcher's process group; rank 0 reads it through
 * a pipe. */
void hy_launch_terminal_open(hy_launch *job, int *rank_end);
void hy_launch_terminal_watch(hy_launch *job);

#endif
