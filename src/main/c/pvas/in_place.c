/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks everything that can fail first, saves the texts of the call, releases the old program's
 * memory and timers, and then enters the new program like a fresh task (child.h).
 */
#include "pvas/in_place.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include <hayate/hayate.h>

#include "base/line.h"
#include "pvas/image.h"
#include "pvas/stack.h"

/* The texts of the call are kept here while the program that passed them is removed: at the end of
 * the partition, which is otherwise unmapped. */
#define KEPT_BYTES (HY_GUARD_GAP - (UINT64_C(64) << 10))
#define WORDS_MAX 8192 /* in the arguments, or in the environment */

#define RSEQ_UNREGISTER 1
/* That the old program may have created; timers are numbered from 0 without gaps. */
#define TIMERS 100000
#define ROBUST_LIST_HEAD 24

typedef struct kept {
    char *at, *end; /* free space */
    const char *path;
    char **arguments, **environment;
} kept;

typedef struct request {
    hy_trap_call *call;
    uint64_t path, arguments, environment; /* addresses in the old program */
} request;

typedef struct renewal {
    const request *asked;
    hy_partition *own;
    kept kept;
    hy_program program;
    hy_image image;
    hy_problem problem;
    uint64_t timers; /* upper bound of the numbers of timers */
} renewal;

/* Bytes on the stack besides arguments and environment: the names of the program, of a script, and
 * of its interpreters with their arguments. */
#define OTHER_TEXTS 4096

HY_BARE static hy_start *start_of(const hy_partition *own)
{
    return hy_at(hy_start, own->task.base + HY_START_OFFSET);
}

/* NULL: a part of the text cannot be read, or there is no room. */
HY_BARE static char *keep_text(kept *to, uint64_t text)
{
    char *start = to->at;
    for (uint64_t at = text; to->at < to->end; at++) {
        if ((at == text || at % HY_PAGE == 0) && !hy_can_read_set(at & ~UINT64_C(7))) return NULL;
        *to->at++ = *hy_at(const char, at);
        if (to->at[-1] == '\0') return start;
    }
    return NULL;
}

/* Copies a NULL-terminated list with its texts. */
HY_BARE static char **keep_list(kept *to, uint64_t list)
{
    uint64_t count = 0;
    for (; list && hy_can_read_set(list + 8 * count); count++)
        if (!hy_at(const uint64_t, list)[count] || count == WORDS_MAX) break;
    if (!list || count == WORDS_MAX || !hy_can_read_set(list + 8 * count)) return NULL;
    char **copy = hy_at(char *, (hy_address(to->at) + 7) & ~UINT64_C(7));
    if ((uint64_t)(to->end - to->at) < 8 * (count + 2)) return NULL;
    to->at = (char *)(copy + count + 1);
    for (uint64_t i = 0; i < count; i++)
        if (!(copy[i] = keep_text(to, hy_at(const uint64_t, list)[i]))) return NULL;
    copy[count] = NULL;
    return copy;
}

HY_BARE static void forget(const renewal *with)
{
    hy_sys2(SYS_munmap, with->own->brk_high, KEPT_BYTES);
}

HY_BARE static bool keep(renewal *with)
{
    kept *to = &with->kept;
    uint64_t start = with->own->brk_high;
    long result = hy_sys6(SYS_mmap, start, KEPT_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                          (uint64_t)-1, 0);
    if (hy_sys_failed(result)) return false;
    to->at = hy_at(char, start);
    to->end = to->at + KEPT_BYTES;
    to->path = keep_text(to, with->asked->path);
    to->arguments = to->path ? keep_list(to, with->asked->arguments) : NULL;
    to->environment = to->arguments ? keep_list(to, with->asked->environment) : NULL;
    if (to->environment && to->arguments[0]) return true;
    forget(with);
    return false;
}

HY_BARE static bool open_program(renewal *with)
{
    hy_image *image = &with->image;
    image->own = with->own;
    image->bytes = with->own->task.end - with->own->task.base;
    image->stack_bytes = hy_image_usual_stack();
    image->program = &with->program;
    image->path = with->kept.path;
    image->arguments = with->kept.arguments;
    image->environment = with->kept.environment;
    return !hy_program_open(image->path, hy_image_room(image->bytes), false, &with->program,
                            &with->problem);
}

/* Finds the number of the next timer by creating one. False: not all timers could be found. */
HY_BARE static bool count_timers(renewal *with)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    int number = 0;
    long result = hy_sys4(SYS_timer_create, CLOCK_MONOTONIC, hy_address(&none), hy_address(&number),
                          0);
    if (hy_sys_failed(result) || number < 0 || number > TIMERS) return false;
    hy_sys2(SYS_timer_delete, (uint64_t)number, 0);
    with->timers = (uint64_t)number;
    return true;
}

/* Removes what the kernel would write to, or wake, on behalf of the old thread. */
HY_BARE static void drop_thread_state(hy_partition *own, uint64_t timers)
{
    const hy_rseq *rseq = &own->rseq;
    stack_t none = {.ss_flags = SS_DISABLE};
    if (rseq->address)
        hy_sys4(SYS_rseq, rseq->address, rseq->bytes, RSEQ_UNREGISTER, rseq->signature);
    own->rseq.address = 0;
    hy_sys2(SYS_set_tid_address, 0, 0);
    hy_sys2(SYS_set_robust_list, 0, ROBUST_LIST_HEAD);
    hy_sys2(SYS_sigaltstack, hy_address(&none), 0);
    for (uint64_t timer = 0; timer < timers; timer++) hy_sys2(SYS_timer_delete, timer, 0);
    if (own->sigsys.handler != hy_address(SIG_IGN)) own->sigsys.handler = hy_address(SIG_DFL);
}

HY_BARE static void unmap_old_program(hy_partition *own)
{
    uint64_t low = own->task.base + HY_CONTROL_BYTES, behind = own->brk_high + KEPT_BYTES;
    hy_sys2(SYS_munmap, low, own->brk_high - low);
    hy_sys2(SYS_munmap, behind, own->task.end - behind);
    hy_outside_unmap(own->outside);
}

/* Like the kernel when it can no longer start a program: no program is left that could get an
 * error. */
HY_BARE static _Noreturn void die(const hy_start *start, const hy_problem *problem)
{
    int error = problem->error ? problem->error : ENOMEM;
    atomic_store_explicit(&start->member->failed, error, memory_order_relaxed);
    for (;;) hy_sys2(SYS_kill, (uint64_t)hy_sys2(SYS_getpid, 0, 0), SIGKILL);
}

/* Replaces the program. From here on there is no way back. */
HY_BARE static _Noreturn void renew(renewal *with)
{
    hy_partition *own = with->own;
    hy_start *start = start_of(own);
    const void *mask = &with->asked->call->context->uc_sigmask;
    start->mask = *(const uint64_t *)mask &
                  ~hy_signal_bit(SIGSYS); /* it is on the old program's stack */
    drop_thread_state(own, with->timers);
    unmap_old_program(own);
    if (hy_image_load(&with->image, start, &with->problem)) die(start, &with->problem);
    forget(with);
    start->executing = start->has_handlers = true;
    start->pair_count = start->new_group = 0;
    start->has_files = false;
    start->directory = -1;
    hy_child_run(start);
    __builtin_unreachable();
}

/* Everything that may fail, done while a failure can still be returned. */
HY_BARE static bool can_be_renewed(renewal *with)
{
    const hy_image *image = &with->image;
    return hy_stack_fits(image->arguments, image->environment, OTHER_TEXTS, image->stack_bytes) &&
           count_timers(with) && !hy_image_name(&with->image, start_of(with->own), &with->problem);
}

/* Runs on the stack in the control area: the stack of the program may be small, and is unmapped. */
HY_BARE static void in_place_run(void *argument)
{
    renewal with;
    uint32_t left = HY_LEFT_OTHERWISE;
    with.asked = argument;
    with.own = with.asked->call->own;
    if (keep(&with)) {
        left = HY_LEFT_PROGRAM;
        if (open_program(&with)) {
            left = HY_LEFT_OTHERWISE;
            if (can_be_renewed(&with)) renew(&with);
            hy_program_close(&with.program);
        }
        forget(&with);
    }
    hy_store_relaxed(&with.own->task.left, left);
}

HY_BARE void hy_in_place(hy_trap_call *call, uint64_t path, uint64_t arguments,
                         uint64_t environment)
{
    request asked = {call, path, arguments, environment};
    hy_bare_call_on(hy_at(char, call->own->task.base + HY_CONTROL_BYTES), in_place_run, &asked);
}

#endif
